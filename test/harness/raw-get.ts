// A GET whose path and headers go out as they are: fetch would mend them first.
import { type Agent, request } from 'node:http';

export type RawAnswer = { readonly status: number; readonly body: string };

/** Status 0: the connection ended without an answer. */
export function rawGet(
  origin: string,
  { path, headers = {} }: { readonly path: string; readonly headers?: Readonly<Record<string, string>> | undefined },
  agent: Agent,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', () => resolve({ status: 0, body: '' }));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
    sent.on('error', (error) => resolve({ status: 0, body: error.message }));
    sent.end();
  });
}
