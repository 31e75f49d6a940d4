// The playground renders for the session's account with the same validation, cache, limits and errors as the API. It needs
// no key. Links are signed here, so that no secret reaches a page.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { isUsable } from '../../access/keys.ts';
import { signLink } from '../../access/signatures.ts';
import { cutText } from '../../content/cut-text.ts';
import { Cancelled, Deadline, sleep } from '../../kernel/deadline.ts';
import { errorBody } from '../../kernel/error-body.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { formats } from '../../kernel/formats.ts';
import { refuseBodyParameters } from '../../kernel/parameters.ts';
import { type RequestParameters, tables } from '../../render/endpoint-tables.ts';
import type { Result } from '../../render/result.ts';
import { usageRecord } from '../../render/usage-record.ts';
import { storedParameters } from '../../render/usage-texts.ts';
import { endpoints, type Requester, type ValidatedRequest } from '../../render/validated-request.ts';
import { readingBodies, readJson } from '../body-reader.ts';
import { asSent } from '../results.ts';
import { fieldsOf, readChoice, readText, time } from './body.ts';
import type { EndpointName, LinkView, RenderBody, RenderEvent, RenderedView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { noSuchKey } from './keys.ts';
import { registerOn, type Unchecked } from './route.ts';

/** How often the page is sent the step of its render. */
const stepEveryMs = 100;
/** An error that comes within this time is a response with its own status instead of a line in a stream. */
const firstLineMs = 60;

const notSent = new Set(['api_key', 'response', 'key_id', 'expires', 'signature']);

export function registerPlayground(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  readingBodies(app, (scope) => {
    registerRender(scope, dependencies, guard);
  });
  registerLink(app, dependencies, guard);
}

function registerRender(scope: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(scope);
  const { validate, renderer, journal, log } = dependencies;
  route('POST /api/playground/render', async (request, reply) => {
    const requester: Requester = { account: await guard.account(request, reply), signed: false };
    const { endpoint, parameters } = readFields(await readJson(request, reply, requester.account.id));
    const startedAt = performance.now();
    const elapsedMs = () => performance.now() - startedAt;
    const recordAs = { id: request.id, parameters: storedParameters(parameters) };

    let validated: ValidatedRequest;
    try {
      validated = await validate(endpoint, parameters, requester);
    } catch (error) {
      if (error instanceof Problem)
        journal.write(usageRecord({ ...recordAs, requester, endpoint, outcome: error, totalMs: elapsedMs() }));
      throw error;
    }
    const execution = renderer.start(validated, new Deadline(validated.timeoutMs), recordAs);
    const ended: { outcome?: Result | Problem } = {};
    const end = execution.result.then(
      (result) => {
        ended.outcome = result;
      },
      (error: unknown) => {
        const isDefect = !(error instanceof Problem || error instanceof Cancelled);
        if (isDefect) log.error({ err: error }, 'a render of the playground failed');
        ended.outcome = error instanceof Problem ? error : new Problem('internal_error');
      },
    );
    await Promise.race([end, sleep(firstLineMs)]);
    if (ended.outcome instanceof Problem) throw ended.outcome;

    const lines = async function* () {
      try {
        while (ended.outcome === undefined) {
          yield line({ event: 'step', step: execution.step(), ms: Math.round(elapsedMs()) });
          await Promise.race([end, sleep(stepEveryMs)]);
        }
        const { outcome } = ended;
        if (outcome instanceof Problem) yield line({ event: 'error', error: errorBody(outcome, request.id) });
        else yield line({ event: 'done', result: renderedView(outcome, validated, elapsedMs()) });
      } finally {
        // The page was closed.
        if (ended.outcome === undefined) execution.cancel();
      }
    };
    return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines()));
  });
}

function registerLink(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { validate, store, baseUrl } = dependencies;
  route('POST /api/playground/link', async (request, reply): Promise<LinkView> => {
    const account = await guard.account(request, reply);
    const fields = fieldsOf(request);
    const { endpoint, parameters } = readFields(fields);
    refuseBodyParameters(parameters, tables[endpoint]);
    const found = await store.keys.findForSigning(readText(fields, 'keyId', 100));
    if (found === undefined || found.account.id !== account.id || !isUsable(found, Date.now())) throw noSuchKey();
    await validate(endpoint, parameters, { account, key: found.key, signed: true });
    const expiresAt = time(fields, 'expiresAt');
    const pairs = [...parameters].filter(([name]) => name !== 'fresh');
    const path = `/v1/${endpoint}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
    const expires = expiresAt === null ? undefined : Math.floor(expiresAt / 1000);
    const link = signLink({ path, keyId: found.key.id, secret: found.signingSecret, expires });
    return { url: baseUrl() + link };
  });
}

function readFields(fields: Unchecked<RenderBody>): { endpoint: EndpointName; parameters: RequestParameters } {
  const endpoint = readChoice(fields.endpoint, 'endpoint', endpoints);
  const given = fields.parameters;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidParameter('parameters', 'parameters must be an object of texts.');
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw invalidParameter(name.slice(0, 40), `${name.slice(0, 40)} must be a text.`);
    if (!notSent.has(name)) parameters.set(name, value);
  }
  return { endpoint, parameters };
}

const line = (event: RenderEvent): string => `${JSON.stringify(event)}\n`;

/** Characters of a text that the page shows. */
const shownChars = 20_000;

function renderedView(whole: Result, { text, warnings }: ValidatedRequest, totalMs: number): RenderedView {
  const { key, hash, meta, cache, phases } = whole;
  const { type, bytes } = asSent(whole, text);
  const stored = (what: string) => `/api/captures/${key}/${what}?v=${hash.slice(0, 12)}`;
  return {
    image: whole.stored ? stored('image') : `data:${type};base64,${bytes.toString('base64')}`,
    firstPage: whole.stored && type === formats.pdf.mediaType ? stored('thumbnail') : null,
    text: text === undefined ? null : cutText(bytes.toString(), shownChars),
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
    warnings: [...warnings, ...meta.warnings],
    phases,
  };
}
