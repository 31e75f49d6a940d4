// A template becomes an image.
import type { Node } from '@takumi-rs/core';
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { nearestName } from '../kernel/parameters.ts';
import { frameOf } from './design/frame.ts';
import { kit } from './design/kit.ts';
import { createDraft } from './draft.ts';
import { createEngine } from './engine.ts';
import type { Card, CardMaker, CardRequest, Picture, Template } from './og-types.ts';
import { fetchPicture } from './pictures.ts';
import { loadTemplates } from './template-files.ts';
import { checkVariables } from './variables.ts';

/** SPEC 4.2: a card that takes longer is answered 504. */
export const cardTimeoutMs = 15_000;

const mediaTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;

export type CardMakerOptions = {
  readonly egress: Egress;
  readonly templatesDir?: string | undefined;
  readonly log: Log;
};

/** Ready when it resolves: fonts registered, every template painted once. */
export async function createCardMaker({ egress, templatesDir, log }: CardMakerOptions): Promise<CardMaker> {
  const startedAt = performance.now();
  const [templates, engine] = await Promise.all([loadTemplates(templatesDir), createEngine()]);

  const find = (name: string): Template => {
    const template = templates.get(name);
    if (template) return template;
    const near = nearestName(name, templates.keys());
    throw new Problem('template_not_found', {
      parameter: 'template',
      message: `There is no template "${name}".${near ? ` Did you mean ${near}?` : ''} Templates: ${[...templates.keys()].join(', ')}.`,
    });
  };

  async function fetchPictures(
    template: Template,
    request: CardRequest,
    deadline: Deadline,
  ): Promise<Map<string, Picture>> {
    const wanted = Object.entries(template.variables)
      .filter(([name, { type }]) => type === 'image_url' && (request.variables[name] ?? '') !== '')
      .map(([name]) => name);
    const pictures = wanted.map(async (name) => {
      const picture = await fetchPicture(name, request.variables[name] ?? '', egress, deadline);
      return [name, picture] as const;
    });
    return new Map(await Promise.all(pictures));
  }

  async function paint(
    template: Template,
    request: CardRequest,
    pictures: ReadonlyMap<string, Picture>,
    deadline: Deadline,
  ): Promise<Card> {
    const frame = frameOf(request.width, request.height);
    const { draft, setting, warnings } = createDraft(template, request.variables, pictures, frame, engine);
    const node: Node = await template.picture(draft, kit);
    deadline.throwIfOver();
    const bytes = await engine.paint(node, request, frame.scale, setting);
    return { bytes, type: mediaTypes[request.format], width: request.width, height: request.height, warnings };
  }

  async function render(request: CardRequest, deadline: Deadline): Promise<Card> {
    const template = find(request.template);
    deadline.step('images');
    const pictures = await fetchPictures(template, request, deadline);
    deadline.step('queue');
    return engine.inSlot(deadline, () => {
      deadline.step('paint');
      return paint(template, request, pictures, deadline);
    });
  }

  // The first render of each template is the slowest, and shows whether the template works at all.
  for (const template of templates.values()) {
    const deadline = new Deadline(cardTimeoutMs);
    try {
      const canvas = { width: 600, height: 315, format: 'png', quality: 80 } as const;
      await paint(template, { ...canvas, template: template.name, variables: template.example }, new Map(), deadline);
    } catch (cause) {
      throw new Error(`The template ${template.name} cannot paint its own example: ${(cause as Error).message}`, {
        cause,
      });
    } finally {
      deadline.done();
    }
  }
  log.info({ templates: templates.size, ms: Math.round(performance.now() - startedAt) }, 'cards ready');

  return {
    catalogue: [...templates.values()].map(({ name, description, variables, example }) => ({
      name,
      description,
      variables,
      example,
    })),
    check: (name, variables) => ({
      warnings: checkVariables(find(name), variables, (url) => egress.check(url)),
      variables: Object.fromEntries(variables),
    }),
    render,
    stop: async () => {},
  };
}
