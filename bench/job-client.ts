// A client of the jobs' API, for benchmarks: sends jobs and waits until all of them have ended.
import { Agent, request } from 'node:http';
import { sleep } from '../src/kernel/deadline.ts';

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

let serial = 0;
/** One that nobody has asked for yet. */
export const card = () => ({ template: 'quote', title: `A card ${++serial}`, width: 600, height: 315 });

/** Queues so many cards, and looks every `pollMs` whether all of them have ended. */
export async function runJobs(account: Account, count: number, pollMs: number): Promise<void> {
  await inLanes(32, count, () => send(account, 202, 'POST', '/v1/jobs', { kind: 'og', request: card() }));
  const has = async (status: string) =>
    !(await send(account, 200, 'GET', `/v1/jobs?status=${status}&limit=1`)).includes('"jobs":[]');
  while ((await has('queued')) || (await has('running'))) await sleep(pollMs);
}
