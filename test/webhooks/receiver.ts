// A receiver of webhooks on every loopback address that checks signatures with the verifier of the package standardwebhooks.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type Received = {
  readonly path: string;
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly at: number;
};

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Those that came to this path. */
  at(path: string): Received[];
  close(): Promise<void>;
};

export type Answer = (request: Received, response: ServerResponse, incoming: IncomingMessage) => void;

const answer200: Answer = (_request, response) => void response.end('thanks');

export async function startReceiver(answers: Record<string, Answer> = {}): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '/';
    const headers = request.headers as Record<string, string>;
    const body = Buffer.concat(chunks).toString();
    const each = { path, id: headers['webhook-id'] ?? '', headers, body, at: Date.now() };
    received.push(each);
    (answers[path] ?? answer200)(each, response, request);
  });
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((each) => each.path === path),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Throws if it is not signed with this secret. */
export const verify = (secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): unknown =>
  new Webhook(secret).verify(body, headers);
