// Renders a template to an image.
import type { Node } from '@takumi-rs/core';
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import { formats } from '../kernel/formats.ts';
import type { Log } from '../kernel/log.ts';
import { soleTurn, type Turn } from '../kernel/turn.ts';
import { createCatalogue } from './catalogue.ts';
import { frameOf } from './design/frame.ts';
import { kit } from './design/kit.ts';
import { createDraft } from './draft.ts';
import type { Card, CardMaker, CardRequest, Picture, Template } from './og-types.ts';
import { createPainter, type Painter } from './painter.ts';
import { decodePicture, fetchImage } from './pictures.ts';

/** A card that takes longer fails with 504. */
export const cardTimeoutMs = 15_000;

export type CardMakerOptions = {
  readonly egress: Egress;
  readonly templatesDir?: string | undefined;
  readonly log: Log;
};

/** The fonts are loaded for the first card, or by `prepare`. If the operator has templates, it resolves when they are painted. */
export async function createCardMaker({ egress, templatesDir, log }: CardMakerOptions): Promise<CardMaker> {
  const { templates, find, ...face } = await createCatalogue({ egress, templatesDir });
  let loading: Promise<Painter> | undefined;
  const loadPainter = () => {
    loading ??= createPainter();
    return loading;
  };

  async function fetchImages(
    template: Template,
    request: CardRequest,
    deadline: Deadline,
    turn: Turn,
  ): Promise<[string, Buffer][]> {
    const wanted = Object.entries(template.variables)
      .filter(([, { type }]) => type === 'image_url')
      .map(([name]) => ({ name, url: request.variables[name] ?? '' }))
      .filter(({ url }) => url !== '');
    if (wanted.length === 0) return [];
    // Another card may be painted while the images are fetched.
    turn.pause();
    const images = await Promise.all(
      wanted.map(async ({ name, url }) => [name, await fetchImage(name, url, egress, deadline)] as [string, Buffer]),
    );
    await deadline.race(turn.resume());
    return images;
  }

  async function paint(
    painter: Painter,
    template: Template,
    request: CardRequest,
    pictures: ReadonlyMap<string, Picture>,
    deadline: Deadline,
  ): Promise<Card> {
    const frame = frameOf(request.width, request.height);
    const { draft, setting, warnings } = createDraft(template, request.variables, pictures, frame, painter);
    const node: Node = await template.picture(draft, kit);
    deadline.throwIfOver();
    const bytes = await painter.paint(node, request, frame.scale, setting);
    return { bytes, type: formats[request.format].mediaType, width: request.width, height: request.height, warnings };
  }

  async function render(request: CardRequest, deadline: Deadline, turn = soleTurn): Promise<Card> {
    const template = find(request.template);
    deadline.step('images');
    const images = await fetchImages(template, request, deadline, turn);
    deadline.step('queue');
    const painter = await deadline.race(loadPainter());
    // Decoding is native work like painting. Both need the slot, so that many large images cannot pile up.
    return painter.inSlot(deadline, async () => {
      deadline.step('decode');
      const pictures = new Map<string, Picture>();
      for (const [name, bytes] of images) {
        pictures.set(name, await decodePicture(name, bytes, deadline));
        deadline.throwIfOver();
      }
      deadline.step('paint');
      return paint(painter, template, request, pictures, deadline);
    });
  }

  async function paintExample(template: Template): Promise<void> {
    const deadline = new Deadline(cardTimeoutMs);
    try {
      const canvas = { width: 600, height: 315, format: 'png', quality: 80 } as const;
      const request = { ...canvas, template: template.name, variables: template.example };
      const painter = await loadPainter();
      await painter.inSlot(deadline, () => paint(painter, template, request, new Map(), deadline));
    } catch (cause) {
      throw new Error(`The template ${template.name} cannot paint its own example: ${(cause as Error).message}`, {
        cause,
      });
    } finally {
      deadline.done();
    }
  }

  // The first render of each template is the slowest, so each is painted once in advance. If the operator has
  // templates, the service waits for this, because it shows their mistakes.
  let stopped = false;
  let preparing: Promise<void> | undefined;
  async function paintAll(): Promise<void> {
    const startedAt = performance.now();
    for (const template of templates.values()) if (!stopped) await paintExample(template);
    log.info({ templates: templates.size, ms: Math.round(performance.now() - startedAt) }, 'cards ready');
  }
  const prepare = () => {
    preparing ??= paintAll();
    return preparing;
  };
  if (templatesDir !== undefined) await prepare();

  return {
    ...face,
    render,
    prepare: () => void prepare().catch((error) => log.error({ err: error }, 'a template cannot be painted')),
    async stop() {
      stopped = true;
      await Promise.allSettled([preparing, loading]);
    },
  };
}
