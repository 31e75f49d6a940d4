// The tools on another Tintype server, by its POST API.
import { Deadline } from '../kernel/deadline.ts';
import { type ErrorCode, errorTable, Problem, type ProblemDetails } from '../kernel/errors.ts';
import type { Kind } from '../kernel/kinds.ts';
import type { Table } from '../kernel/parameters.ts';
import { type RequestParameters, tables } from '../render/validate.ts';
import type { Ask, Backend, ResultFacts, TemplateFacts } from './backend.ts';

export type RemoteServer = {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
};

/** More than the longest timeout of a render, and time for its file to arrive. */
const patienceMs = 120_000;
/** More than a full page has. */
const mostBytes = 256 * 1024 * 1024;

export function createRemoteBackend(server: RemoteServer, onDefect: Backend['onDefect']): Backend {
  const post = (endpoint: Ask['endpoint'], parameters: RequestParameters, signal: AbortSignal, more: object = {}) =>
    send(server, `/v1/${endpoint}`, signal, { ...jsonBody(parameters, tables[endpoint]), ...more });
  let catalogue: Promise<readonly TemplateFacts[]> | undefined;
  return {
    accountId: 'remote',
    async ask({ endpoint, parameters, signal }) {
      const facts = JSON.parse(String(await post(endpoint, parameters, signal, { response: 'json' }))) as ResultFacts;
      // The file is in the server's cache by now: asking for it anew would render it again.
      const again = new Map([...parameters].filter(([name]) => name !== 'fresh'));
      return { facts, bytes: () => post(endpoint, again, signal) };
    },
    templates() {
      // Not with the caller's signal: others wait for the same list.
      catalogue ??= send(server, '/v1/og/templates', new AbortController().signal).then(
        (body) => JSON.parse(String(body)).templates,
      );
      // A server that did not answer is asked again.
      catalogue.catch(() => {
        catalogue = undefined;
      });
      return catalogue;
    },
    onDefect,
  };
}

/** The parameters in the types that a JSON body has. A value that has none of them is sent as it is: the server says why. */
const jsonBody = (parameters: RequestParameters, table: Table): Record<string, unknown> =>
  Object.fromEntries(
    [...parameters].map(([name, value]) => {
      const kind = Object.hasOwn(table, name) ? table[name]?.kind : undefined;
      const isText = kind === undefined || kind.json === 'numbers' || (kind.schema.type === 'string' && !kind.json);
      return [name, isText ? value : (jsonValue(kind, value) ?? value)];
    }),
  );

function jsonValue(kind: Kind<unknown>, value: string): unknown {
  if (kind.json === undefined) return kind.parse(value);
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The body of the answer. Throws the problem that it is, or why there is none. */
async function send({ url, key }: RemoteServer, path: string, signal: AbortSignal, body?: object): Promise<Buffer> {
  const deadline = new Deadline(patienceMs, `The server at ${url}`);
  try {
    const response = await fetch(url + path, {
      // The key must not follow to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline.signal]),
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const bytes = await readBounded(response);
    if (response.ok) return bytes;
    throw problemOf(response, bytes, url);
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error;
    deadline.throwIfOver();
    const { message, cause } = error as Error;
    throw unavailable(`The server at ${url} does not answer: ${(cause as Error | undefined)?.message || message}.`);
  } finally {
    deadline.done();
  }
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > mostBytes) throw unavailable(`The answer of the server has more than ${mostBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

/** An error body of the API as the problem it was there. */
function problemOf({ status, headers }: Response, bytes: Buffer, url: string): Problem {
  const { code, error, ...details } = errorBodyOf(bytes);
  if (code === undefined)
    return unavailable(`${url} answered with status ${status}; is it the address of a Tintype server?`);
  const retryAfter = Number(headers.get('retry-after')) || undefined;
  return new Problem(code, { ...details, message: error, ...(retryAfter && { retryAfter }) });
}

function errorBodyOf(bytes: Buffer): Omit<ProblemDetails, 'message'> & { code?: ErrorCode; error?: string } {
  try {
    const { code, error, parameter, requiredPlan, verdict } = JSON.parse(String(bytes));
    if (typeof error !== 'string' || typeof code !== 'string') return {};
    // A newer server may have codes that this one does not know.
    return {
      code: code in errorTable ? (code as ErrorCode) : 'internal_error',
      error,
      parameter,
      requiredPlan,
      verdict,
    };
  } catch {
    return {};
  }
}

const unavailable = (message: string): Problem => new Problem('renderer_unavailable', { message });
