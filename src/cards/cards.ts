// Renders a template to an image.
import { availableParallelism } from 'node:os';
import type { Node } from '@takumi-rs/core';
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import { formats } from '../kernel/formats.ts';
import type { Log } from '../kernel/log.ts';
import { createNativeSlots } from '../kernel/native-slots.ts';
import { soleTurn, type Turn } from '../kernel/turn.ts';
import type {
  Card,
  CardMaker,
  CardRequest,
  FileTemplate,
  HtmlFileTemplate,
  HtmlTemplate,
  Picture,
  Template,
  Variable,
} from './card-types.ts';
import { type CatalogueOptions, createCatalogue } from './catalogue.ts';
import { frameOf } from './design/frame.ts';
import { kit } from './design/kit.ts';
import { createDraft } from './draft.ts';
import { createHtmlPainter } from './html/html-painter.ts';
import { createPainter, type Painter } from './painter.ts';
import { decodePicture, fetchImage, quickImage, shareOf } from './pictures.ts';
import { createRecentImages } from './recent-images.ts';
import { cleanText } from './typeset.ts';

/** A card that takes longer fails with 504. */
export const cardTimeoutMs = 15_000;

const noFile = () => Promise.reject(new Error('There are no uploaded files here.'));

export type CardMakerOptions = Pick<CatalogueOptions, 'templatesDir' | 'readHtml'> & {
  readonly egress: Egress;
  /** Follows changes of TEMPLATES_DIR. */
  readonly watches?: boolean;
  /** The bytes of a file of an account's own template. */
  readonly readFile?: (hash: string) => Promise<Buffer>;
  readonly log: Log;
};

/** The fonts are loaded for the first card, or by `prepare`. If the operator has templates, it resolves when they are painted. */
export async function createCardMaker({
  egress,
  templatesDir,
  readHtml,
  watches,
  readFile = noFile,
  log,
}: CardMakerOptions): Promise<CardMaker> {
  const catalogue = await createCatalogue({
    egress,
    templatesDir,
    ...(readHtml && { readHtml }),
    ...(watches && { watch: { log, tryOut: (template) => paintExample(template) } }),
  });
  let loading: Promise<Painter> | undefined;
  const loadPainter = () => {
    loading ??= createPainter();
    return loading;
  };

  const htmlPainter = createHtmlPainter(log);
  const decodeSlots = createNativeSlots(availableParallelism());
  const recentImage = createRecentImages();

  async function fetchImages(
    variables: Readonly<Record<string, Variable>>,
    request: CardRequest,
    deadline: Deadline,
    turn: Turn,
  ): Promise<[string, Buffer][]> {
    const wanted = Object.entries(variables)
      .filter(([, { type }]) => type === 'image_url')
      .map(([name]) => ({ name, url: request.variables[name] ?? '' }))
      .filter(({ url }) => url !== '');
    if (wanted.length === 0) return [];
    const share = shareOf(wanted.length);
    // Another card may be painted while the images are fetched, and decoded if that takes seconds.
    turn.pause();
    const images = await Promise.all(
      wanted.map(async ({ name, url }): Promise<[string, Buffer]> => {
        const load = () => fetchImage(name, url, share, egress, deadline);
        const bytes = await (request.isPreview ? recentImage(url, load) : load());
        return [name, await quickImage(name, bytes, deadline, share, request.accountId)];
      }),
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
    const { draft, setting, warnings } = await createDraft(template, request.variables, pictures, frame, painter);
    const node: Node = await template.picture(draft, kit);
    deadline.throwIfOver();
    const bytes = await painter.paint(template, node, request, frame.scale, setting);
    return { bytes, type: formats[request.format].mediaType, width: request.width, height: request.height, warnings };
  }

  async function decode(images: readonly [string, Buffer][], deadline: Deadline): Promise<Map<string, Picture>> {
    deadline.step('decode');
    const pictures = new Map<string, Picture>();
    for (const [name, bytes] of images) {
      pictures.set(name, await decodePicture(name, bytes, shareOf(images.length)));
      deadline.throwIfOver();
    }
    return pictures;
  }

  async function renderHtml(
    html: HtmlTemplate | HtmlFileTemplate['html'],
    request: CardRequest,
    deadline: Deadline,
    turn: Turn,
  ): Promise<Card> {
    deadline.step('images');
    const images = await fetchImages(html.variables, request, deadline, turn);
    const files = await Promise.all(
      html.files.map(async (file) => ('bytes' in file ? file : { ...file, bytes: await readFile(file.hash) })),
    );
    const pictures = [...(await decodeSlots(deadline, () => decode(images, deadline)))];
    deadline.step('paint');
    const { width, height, format, quality, variables: values } = request;
    const canvas = { width, height, format, quality };
    const card = { ...html, files, values, pictures, canvas };
    const { bytes, warnings } = await htmlPainter.paint(card, deadline, request.accountId);
    return { bytes, type: formats[format].mediaType, width, height, warnings };
  }

  async function render(request: CardRequest, deadline: Deadline, turn = soleTurn): Promise<Card> {
    if (request.html) return renderHtml(request.html, request, deadline, turn);
    const template = catalogue.find(request.template);
    if ('html' in template) return renderHtml(template.html, request, deadline, turn);
    deadline.step('images');
    const images = await fetchImages(template.variables, request, deadline, turn);
    deadline.step('queue');
    const painter = await deadline.race(loadPainter());
    // Decoding is native work like painting. Both need the slot, so that many large images cannot pile up.
    return painter.inSlot(deadline, async () => {
      const pictures = await decode(images, deadline);
      deadline.step('paint');
      return paint(painter, template, request, pictures, deadline);
    });
  }

  async function paintExample(template: FileTemplate): Promise<void> {
    const deadline = new Deadline(cardTimeoutMs);
    try {
      const canvas = { width: 600, height: 315, format: 'png', quality: 80 } as const;
      if ('html' in template) {
        await htmlPainter.paint({ ...template.html, values: template.example, pictures: [], canvas }, deadline);
        return;
      }
      const painter = await loadPainter();
      // Without what needs the fonts of other scripts, which are loaded when a card needs them.
      const plain = ([name, text]: [string, string]) => [name, cleanText(text, painter.coverage, painter.emoji).text];
      const variables =
        templatesDir === undefined ? Object.fromEntries(Object.entries(template.example).map(plain)) : template.example;
      const request = { ...canvas, template: template.name, variables };
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
    for (const template of catalogue.templates.values()) if (!stopped) await paintExample(template);
    log.info({ templates: catalogue.templates.size, ms: Math.round(performance.now() - startedAt) }, 'cards ready');
  }
  const prepare = () => {
    preparing ??= paintAll();
    return preparing;
  };
  if (templatesDir !== undefined)
    await prepare().catch(async (error) => {
      catalogue.stop();
      await htmlPainter.stop();
      throw error;
    });

  return {
    get catalogue() {
      return catalogue.catalogue;
    },
    get revision() {
      return catalogue.revision;
    },
    check: catalogue.check,
    render,
    html: htmlPainter,
    prepare: () => void prepare().catch((error) => log.error({ err: error }, 'a template cannot be painted')),
    async stop() {
      stopped = true;
      catalogue.stop();
      await Promise.allSettled([preparing, loading, htmlPainter.stop()]);
    },
  };
}
