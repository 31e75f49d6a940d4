// Renders on this machine for the command line: no server, no key, no cache and no rate limit; validation and the egress
// guard are those of the API. A browser and the fonts of cards are opened when the first request needs them.
import type { Capturer } from '../capture/capture-types.ts';
import { isSent } from '../capture/sent-document.ts';
import type { CardMaker } from '../cards/card-types.ts';
import { createCardMaker } from '../cards/cards.ts';
import { type Catalogue, createCatalogue } from '../cards/catalogue.ts';
import type { Config } from '../config.ts';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createLog } from '../kernel/log.ts';
import { highestPlan } from '../kernel/plans.ts';
import { createSemaphore } from '../kernel/semaphore.ts';
import { rejectIf } from '../kernel/verdict.ts';
import type { RequestParameters } from '../render/endpoint-tables.ts';
import { type RenderOutput, renderTask } from '../render/executor.ts';
import { resizeOf, resizePicture, withoutResize } from '../render/resize.ts';
import { validateOg } from '../render/validate-card.ts';
import { validatePage } from '../render/validate-page.ts';
import type { Endpoint, Requester, ValidatedRequest } from '../render/validated-request.ts';
import { openCapturer, openEgress } from './renderers.ts';

/** The command line may use every parameter. */
const requester: Requester = { account: { id: 'command line', plan: highestPlan }, signed: false };
const log = createLog('silent');

/** The bytes of a text are those of content/stored-text.ts. */
export type LocalResult = { readonly request: ValidatedRequest; readonly output: RenderOutput };

export type LocalOptions = {
  /** The caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the render has begun, with the function that names its step. */
  readonly onStep?: (step: () => string) => void;
};

export type LocalRenderer = {
  /** Throws what the API would reply with. The request is validated before anything is started. */
  render(endpoint: Endpoint, parameters: RequestParameters, options?: LocalOptions): Promise<LocalResult>;
  catalogue(): Promise<Catalogue>;
  stop(): Promise<void>;
};

export function openLocalRenderer(config: Config, atOnce = 1): LocalRenderer {
  const egress = openEgress(config, log);
  const { templatesDir, planLimits: plans } = config;
  const turns = createSemaphore(atOnce);
  let templates: Promise<Catalogue> | undefined;
  let browsers: Promise<Capturer> | undefined;
  let painter: Promise<CardMaker> | undefined;

  const catalogue = () => (templates ??= createCatalogue({ egress, templatesDir }));
  // What could not be opened is tried again with the next request.
  const capturer = () =>
    (browsers ??= openCapturer({ ...config, rendersAtOnce: atOnce, pagesAtOnce: atOnce }, egress, log)
      .then((opened) => opened.capturer)
      .catch((error) => {
        browsers = undefined;
        throw error;
      }));
  const cards = () =>
    (painter ??= createCardMaker({ egress, templatesDir, log }).catch((error) => {
      painter = undefined;
      throw error;
    }));

  const validate = async (endpoint: Endpoint, parameters: RequestParameters) =>
    endpoint === 'og'
      ? validateOg(parameters, requester, { plans, egress, cards: await catalogue(), ownTemplates: noOwnTemplates })
      : validatePage(endpoint, parameters, requester, { plans, egress, secret: '' });

  async function run({ task, timeoutMs }: ValidatedRequest, { signal, onStep }: LocalOptions): Promise<RenderOutput> {
    // Opened first: the start of a browser does not count toward the timeout.
    const renderers =
      task.kind === 'og'
        ? { capturer: noBrowser, cards: await cards() }
        : { capturer: await capturer(), cards: noCards };
    const deadline = new Deadline(timeoutMs);
    onStep?.(() => deadline.currentStep);
    const cancel = () => deadline.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      signal?.throwIfAborted();
      if (task.kind !== 'og' && !isSent(task.request)) await egress.resolve(new URL(task.request.url), deadline.signal);
      if (task.kind !== 'screenshot') return await renderTask(task, renderers, deadline);
      const resize = resizeOf(task.request);
      const picture = await renderTask({ ...task, request: withoutResize(task.request) }, renderers, deadline);
      return resize
        ? { ...picture, ...(await resizePicture(picture, resize, task.request.quality, timeoutMs)) }
        : picture;
    } finally {
      signal?.removeEventListener('abort', cancel);
      deadline.done();
    }
  }

  return {
    async render(endpoint, parameters, options = {}) {
      const request = await validate(endpoint, parameters);
      const release = await turns.acquire();
      try {
        const output = await run(request, options);
        rejectIf(output.verdict, request.failOn);
        return { request, output: { ...output, warnings: [...request.warnings, ...output.warnings] } };
      } finally {
        release();
      }
    },
    catalogue,
    async stop() {
      await Promise.all([browsers?.then((opened) => opened.stop()), painter?.then((opened) => opened.stop())]);
      await egress.stop();
    },
  };
}

const noOwnTemplates = {
  find: () =>
    Promise.reject(
      new Problem('template_not_found', {
        parameter: 'template',
        message: 'Your own templates are on the server: use --server and --key.',
      }),
    ),
};

const unused = (): never => {
  throw new Error('This renderer is not open.');
};
const noBrowser = { capture: unused, evaluate: unused };
const noCards = { render: unused };
