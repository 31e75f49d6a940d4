// A client of the jobs' API, for benchmarks.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export type Account = { readonly url: string; readonly key: string };
type Reply = { readonly status: number; readonly body: string };

/** Fails if the response has another status than this one. */
export async function send(
  { url, key }: Account,
  expected: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const reply = await new Promise<Reply>((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(url + path, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
  if (reply.status !== expected) throw new Error(`${reply.status} instead of ${expected}: ${reply.body.slice(0, 300)}`);
  return reply.body;
}

/** `lanes` clients, one request after the other each, until `count` are done. */
export async function inLanes(lanes: number, count: number, once: () => Promise<unknown>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) await once();
    }),
  );
}
