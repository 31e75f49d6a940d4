// Renders a template to an image.
import { availableParallelism } from 'node:os';
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import { formats } from '../kernel/formats.ts';
import { lazily } from '../kernel/lazily.ts';
import type { Log } from '../kernel/log.ts';
import { createNativeSlots } from '../kernel/native-slots.ts';
import { soleTurn, type Turn } from '../kernel/turn.ts';
import type { Canvas, Card, CardMaker, CardRequest, HtmlTemplate, Picture, Template, Variable } from './card-types.ts';
import { type CatalogueOptions, createCatalogue } from './catalogue.ts';
import { checkExamples, exampleCanvas, exampleFault } from './check-examples.ts';
import { createCardPainter, type PaintedCard } from './html/card-painter.ts';
import { createHtmlPainter } from './html/html-painter.ts';
import { createPainter } from './painter.ts';
import { decodePicture, fetchImage, quickImage, shareOf } from './pictures.ts';
import { createRecentImages } from './recent-images.ts';

/** A card that takes longer fails with 504. */
export const cardTimeoutMs = 15_000;

const noFile = () => Promise.reject(new Error('There are no uploaded files here.'));

export type CardMakerOptions = Pick<CatalogueOptions, 'templatesDir'> & {
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
  watches,
  readFile = noFile,
  log,
}: CardMakerOptions): Promise<CardMaker> {
  const catalogue = await createCatalogue({
    egress,
    templatesDir,
    ...(watches && { watch: { log, tryOut: (template) => paintExample(template) } }),
  });
  const loadPainter = lazily(async () => createCardPainter(await createPainter()));
  const htmlPainter = createHtmlPainter(log);
  // Decoding and painting are native work that cannot be stopped: one card for each core.
  const inSlot = createNativeSlots(availableParallelism());
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

  async function decode(images: readonly [string, Buffer][], deadline: Deadline): Promise<[string, Picture][]> {
    deadline.step('decode');
    const pictures: [string, Picture][] = [];
    for (const [name, bytes] of images) {
      pictures.push([name, await decodePicture(name, bytes, shareOf(images.length))]);
      deadline.throwIfOver();
    }
    return pictures;
  }

  /** In a process of its own: what the template makes the engine do can be stopped. */
  async function paintApart(
    { owner = '', source, variables, files: named }: HtmlTemplate,
    { accountId, variables: values, ...request }: CardRequest,
    images: readonly [string, Buffer][],
    deadline: Deadline,
  ): Promise<PaintedCard> {
    const files = await Promise.all(
      named.map(async (file) => ({ ...file, bytes: file.bytes ?? (await readFile(file.hash)) })),
    );
    const pictures = await inSlot(deadline, () => decode(images, deadline));
    deadline.step('paint');
    const card = { owner, source, variables, files, values, pictures, canvas: canvasOf(request) };
    return htmlPainter.paint(card, deadline, accountId);
  }

  async function paintHere(
    template: Template,
    { variables: values, ...request }: Pick<CardRequest, 'variables'> & Canvas,
    images: readonly [string, Buffer][],
    deadline: Deadline,
  ): Promise<PaintedCard> {
    deadline.step('queue');
    const painter = await deadline.race(loadPainter());
    return inSlot(deadline, async () => {
      const pictures = await decode(images, deadline);
      deadline.step('paint');
      return painter.paint({ ...template, values, pictures, canvas: canvasOf(request) });
    });
  }

  async function render(request: CardRequest, deadline: Deadline, turn = soleTurn): Promise<Card> {
    const { html, width, height, format } = request;
    const template = html ?? catalogue.find(request.template);
    deadline.step('images');
    const images = await fetchImages(template.variables, request, deadline, turn);
    const painting =
      'source' in template
        ? paintApart(template, request, images, deadline)
        : paintHere(template, request, images, deadline);
    return { ...(await painting), type: formats[format].mediaType, width, height };
  }

  /** Throws a TemplateFileFault. */
  async function paintExample(template: Template): Promise<void> {
    const deadline = new Deadline(cardTimeoutMs);
    try {
      // Without the fonts of other scripts, which take a second: they are loaded when a card needs them.
      const variables = templatesDir === undefined ? latinOf(template.example) : template.example;
      await paintHere(template, { ...exampleCanvas, variables }, [], deadline);
    } catch (error) {
      throw exampleFault(template, error as Error);
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
  const checking = templatesDir === undefined ? checkExamples(catalogue.templates.values()) : prepare();
  await checking.catch(async (error) => {
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
      await Promise.allSettled([preparing, htmlPainter.stop()]);
    },
  };
}

const canvasOf = ({ width, height, format, quality }: Canvas): Canvas => ({ width, height, format, quality });

const otherScripts = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/gu;

const latinOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll(otherScripts, '')]));
