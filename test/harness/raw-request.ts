// A request whose path and headers go out as they are: fetch would mend them first.
import { type Agent, request } from 'node:http';

export type RawAnswer = { readonly status: number; readonly body: string };

type RawRequest = {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A request with a body is a POST. */
  readonly body?: string | undefined;
};

/** Status 0: the connection ended without an answer. */
export function rawRequest(origin: string, { path, headers = {}, body }: RawRequest, agent: Agent): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path, method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', () => resolve({ status: 0, body: '' }));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
    sent.on('error', (error) => resolve({ status: 0, body: error.message }));
    sent.end(body);
  });
}
