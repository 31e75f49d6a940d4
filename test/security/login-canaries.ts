// A service that captures pages with secrets made at run time, and the other origins where none of them may arrive.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { type Origins, type Received, startOrigins } from './login-origins.ts';

const canary = () => `canary${randomBytes(12).toString('hex')}`;
export const secrets = { header: canary(), bearer: canary(), password: canary(), cookie: canary() };
const base64 = Buffer.from(`ada:${secrets.password}`).toString('base64');
/** What goes to the origin of url alone. A cookie goes to its host, whatever the port. */
const ofOrigin = [secrets.header, secrets.bearer, secrets.password, base64.slice(8, 40)];
export const allSecrets = [...ofOrigin, secrets.cookie];

const cookies = [{ name: 'session', value: secrets.cookie }];
export const bearerLogin = {
  headers: { 'X-Canary': secrets.header, Authorization: `Bearer ${secrets.bearer}` },
  cookies,
};
export const passwordLogin = {
  headers: { 'X-Canary': secrets.header },
  basicAuth: { username: 'ada', password: secrets.password },
  cookies,
};

/** The host that the login is for, and hosts that look like it. */
export const host = 'login.example.com';
export const otherHosts = ['sub.login.example.com', 'example.com', 'login.example.org'];

export type Canaries = {
  readonly origins: Origins;
  readonly service: Service;
  readonly customer: Customer;
  /** What callers got so far, headers and JSON. */
  answers(): string;
  capture(values: unknown): Promise<Response>;
  /** What was received while `work` ran, by whether it came to this origin. */
  during(own: string, work: () => Promise<unknown>): Promise<{ own: Received[]; others: Received[] }>;
  close(): Promise<void>;
};

export async function openCanaries(): Promise<Canaries> {
  const origins = await startOrigins();
  const service = await startService({}, async (name) => (name === 'gone.example.com' ? [] : ['127.0.0.1']));
  const customer = await service.customer('business');
  let answers = '';
  return {
    origins,
    service,
    customer,
    answers: () => answers,
    async capture(values) {
      const body = typeof values === 'string' ? values : { response: 'json', ...(values as object) };
      const response = await service.post('/v1/screenshot', body, customer.key);
      answers += JSON.stringify([...response.headers]) + (await response.text());
      return response;
    },
    async during(own, work) {
      const from = origins.received.length;
      await work();
      const received = origins.received.slice(from);
      return {
        own: received.filter(({ origin }) => origin === own),
        others: received.filter(({ origin }) => origin !== own),
      };
    },
    async close() {
      await service.stop();
      await origins.close();
    },
  };
}

export function expectNoSecret(others: readonly Received[], own: string): void {
  const ownHost = new URL(own).hostname;
  for (const { origin, path, text } of others) {
    const forbidden = new URL(origin).hostname === ownHost ? ofOrigin : allSecrets;
    for (const secret of forbidden) expect(text.includes(secret), `${origin}${path}`).toBe(false);
  }
}

/** The paths of these requests that begin so, each once. */
export const namesOf = (received: readonly Received[], prefix = ''): Set<string> =>
  new Set(received.map(({ path }) => path.slice(1).split('?')[0] ?? '').filter((name) => name.startsWith(prefix)));

/** Those that carried the login. */
export const carried = (received: readonly Received[]): Received[] =>
  received.filter(({ text }) => text.includes(secrets.header));
