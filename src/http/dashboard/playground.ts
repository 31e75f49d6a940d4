// The playground renders for the session's account, through the same door as the API: the same checks, cache,
// limits and errors. No key is involved; links are signed here, so that no secret reaches a page.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUsable } from '../../access/keys.ts';
import { signLink } from '../../access/signatures.ts';
import { Deadline, sleep } from '../../kernel/deadline.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { verdictText } from '../../kernel/verdict.ts';
import type { Result } from '../../render/render.ts';
import type { Account } from '../../store/store.ts';
import type { Asker } from '../caller.ts';
import { askOg } from '../og.ts';
import { errorBody } from '../reply.ts';
import type { Ask } from '../results.ts';
import { askScreenshot } from '../screenshot.ts';
import { storedParameters, storedWarnings } from '../stored-texts.ts';
import { choice, fieldsOf, text, time } from './body.ts';
import type { EndpointName, LinkView, RenderBody, RenderEvent, RenderedView } from './contract.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { Guard } from './guard.ts';
import { noSuchKey } from './keys.ts';
import { registerOn, type Unchecked } from './route.ts';

/** Under this name the playground's renders are in the account's usage. */
export const playgroundKeyId = 'playground';

// How often the page is told in which step its render is.
const tellEveryMs = 100;
// A refusal comes within this time, and is then an answer with its own status instead of a line in a stream.
const firstWordMs = 60;

const notSent = new Set(['api_key', 'response', 'key_id', 'expires', 'signature']);

type Order = { endpoint: EndpointName; query: ReadonlyMap<string, string> };

export function registerPlayground(app: FastifyInstance, parts: DashboardParts, guard: Guard): void {
  const route = registerOn(app);
  route('POST /api/playground/render', async (request, reply) => {
    const account = await guard.account(request, reply);
    const order = readOrder(fieldsOf(request));
    const startedAt = performance.now();
    const end = (outcome: Result | Problem, deadline?: Deadline) =>
      remember(parts, request, account, order, performance.now() - startedAt, outcome, deadline);
    let ask: Ask;
    try {
      ask = askFor(order, { account, signed: false }, parts);
    } catch (error) {
      if (error instanceof Problem) end(error);
      throw error;
    }
    const run = startRun(ask, parts, end);
    await Promise.race([run.result, sleep(firstWordMs)]);
    if (run.problem !== undefined) throw run.problem;
    const lines = async function* () {
      try {
        while (!run.over) {
          yield line({ event: 'step', step: run.step(), ms: Math.round(performance.now() - startedAt) });
          await Promise.race([run.result, sleep(tellEveryMs)]);
        }
        const result = await run.result;
        if (result === undefined) yield line({ event: 'error', error: errorBody(problemOf(run.problem), request.id) });
        else yield line({ event: 'done', result: renderedView(result, ask, performance.now() - startedAt) });
      } finally {
        // The page has gone: nobody waits for this any more.
        if (!run.over) run.cancel();
      }
    };
    return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines()));
  });

  route('POST /api/playground/link', async (request, reply): Promise<LinkView> => {
    const account = await guard.account(request, reply);
    const fields = fieldsOf(request);
    const { endpoint, query } = readOrder(fields);
    const found = await parts.store.keys.findForSigning(text(fields, 'keyId', 100));
    if (found === undefined || found.account.id !== account.id || !isUsable(found, Date.now())) throw noSuchKey();
    askFor({ endpoint, query }, { account, key: found.key, signed: true }, parts);
    const expiresAt = time(fields, 'expiresAt');
    const pairs = [...query].filter(([name]) => name !== 'fresh');
    const path = `/v1/${endpoint}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
    const expires = expiresAt === null ? undefined : Math.floor(expiresAt / 1000);
    const link = signLink({ path, keyId: found.key.id, secret: found.signingSecret, expires });
    return { url: parts.baseUrl() + link };
  });
}

function readOrder(fields: Unchecked<RenderBody>): Order {
  const endpoint = choice(fields.endpoint, 'endpoint', ['screenshot', 'og']);
  const given = fields.parameters;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidParameter('parameters', 'parameters must be an object of texts.');
  const query = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw invalidParameter(name.slice(0, 40), `${name.slice(0, 40)} must be a text.`);
    if (!notSent.has(name)) query.set(name, value);
  }
  return { endpoint, query };
}

const askFor = ({ endpoint, query }: Order, asker: Asker, parts: DashboardParts): Ask =>
  endpoint === 'og' ? askOg(query, asker, parts) : askScreenshot(query, asker, parts);

const line = (event: RenderEvent): string => `${JSON.stringify(event)}\n`;
const problemOf = (error: unknown): Problem => (error instanceof Problem ? error : new Problem('internal_error'));

type Run = {
  /** Undefined when it failed; then `problem` says how. Never rejects. */
  readonly result: Promise<Result | undefined>;
  readonly over: boolean;
  readonly problem: unknown;
  step(): string;
  cancel(): void;
};

function startRun(ask: Ask, parts: DashboardParts, end: (outcome: Result | Problem, deadline: Deadline) => void): Run {
  const deadline = new Deadline(ask.timeoutMs);
  let over = false;
  let problem: unknown;
  const result = parts.renderer
    .render(ask.order, deadline)
    .then(
      (made) => {
        end(made, deadline);
        return made;
      },
      (error: unknown) => {
        problem = error;
        if (error instanceof Problem) end(error, deadline);
        else if (!deadline.signal.aborted) parts.log.error({ err: error }, 'a render of the playground failed');
        return undefined;
      },
    )
    .finally(() => {
      over = true;
      deadline.done();
    });
  return {
    result,
    get over() {
      return over;
    },
    get problem() {
      return problem;
    },
    step: () => parts.renderer.step(ask.order) ?? deadline.currentStep,
    cancel: () => deadline.cancel(),
  };
}

function renderedView(result: Result, ask: Ask, totalMs: number): RenderedView {
  const { key, hash, type, bytes, meta, cache, phases } = result;
  return {
    image: result.stored
      ? `/api/captures/${key}/image?v=${hash.slice(0, 12)}`
      : `data:${type};base64,${bytes.toString('base64')}`,
    type,
    size: bytes.length,
    width: meta.width,
    height: meta.height,
    pages: meta.pages ?? null,
    page: meta.page ?? null,
    verdict: meta.verdict ?? null,
    renderTime: meta.renderTime,
    totalTime: Math.round(totalMs),
    cache,
    warnings: [...ask.warnings, ...meta.warnings],
    phases,
  };
}

/** A render of the playground is a request of the account like any other, and is in its usage. */
function remember(
  { journal }: Pick<DashboardParts, 'journal'>,
  request: FastifyRequest,
  account: Account,
  { endpoint, query }: Order,
  totalMs: number,
  outcome: Result | Problem,
  deadline?: Deadline,
): void {
  const failed = outcome instanceof Problem;
  const verdict = failed ? outcome.verdict : outcome.meta.verdict;
  const phases = failed ? (deadline?.phases() ?? {}) : outcome.phases;
  journal.write({
    id: request.id,
    accountId: account.id,
    keyId: playgroundKeyId,
    at: Date.now(),
    endpoint,
    status: failed ? outcome.status : 200,
    outcome: failed ? 'error' : outcome.cache === 'MISS' ? 'render' : 'hit',
    code: failed ? outcome.code : null,
    renderMs: failed ? null : outcome.meta.renderTime,
    totalMs: Math.round(totalMs),
    parameters: storedParameters(query),
    phases: JSON.stringify(
      Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, Math.round(ms * 10) / 10])),
    ),
    warnings: storedWarnings(failed ? [] : outcome.meta.warnings),
    cacheKey: !failed && outcome.stored ? outcome.key : null,
    verdict: verdict === undefined ? null : verdictText(verdict),
  });
}
