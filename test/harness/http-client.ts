// A client for measuring: fetch takes several times the processor, on the machine whose capacity is being measured.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

const agent = new Agent({ keepAlive: true });

export function get(url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, ...(signal && { signal }) }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
