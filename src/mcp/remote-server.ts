// Requests to another Tintype server, with a key.
import { Deadline } from '../kernel/deadline.ts';
import { type ErrorCode, errorTable, Problem, type ProblemDetails } from '../kernel/errors.ts';

export type RemoteServer = {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
};

/** More than the longest timeout of a render, and time for its file to arrive. */
const patienceMs = 120_000;
/** More than a full page has. */
const mostBytes = 256 * 1024 * 1024;

export type RemoteRequest = {
  readonly signal?: AbortSignal;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The body, as JSON or as bytes. */
  readonly json?: object;
  readonly bytes?: Buffer;
};

/** The body of the answer. Throws the problem that it is, or why there is none. */
export async function sendTo({ url, key }: RemoteServer, path: string, request: RemoteRequest = {}): Promise<Buffer> {
  const { signal = new AbortController().signal, method = 'GET', json, bytes: sent } = request;
  const deadline = new Deadline(patienceMs, `The server at ${url}`);
  try {
    const response = await fetch(url + path, {
      // The key must not follow to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline.signal]),
      method,
      headers: { 'x-api-key': key, ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
      ...(sent && { body: new Uint8Array(sent) }),
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
