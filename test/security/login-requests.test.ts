// Secrets of a login, hunted with canaries: a page that makes every kind of request, and other origins that keep every byte
// they receive.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bearerLogin,
  type Canaries,
  carried,
  expectNoSecret,
  host,
  namesOf,
  openCanaries,
  otherHosts,
  passwordLogin,
} from './login-canaries.ts';

let canaries: Canaries;
beforeAll(async () => {
  canaries = await openCanaries();
});
afterAll(() => canaries.close());

/** Requests of the page to its own origin that carry the login. */
const carriers = [
  ...[
    'image',
    'script',
    'module',
    'style',
    'preload',
    'prefetch',
    'frame',
    'object',
    'embed',
    'video',
    'audio',
    'font',
  ],
  ...['fetch', 'credentials', 'nocors', 'preflight', 'keepalive', 'xhr', 'beacon', 'events', 'css', 'form'],
  ...['worker', 'worker-script.js'],
];

describe.each([
  ['a name', host, []],
  // Loopback is a secure context, so that service workers run.
  ['an address', '127.0.0.1', ['own-service', 'controlled']],
])('on %s, a page that makes every kind of request', (_what, name, more) => {
  it.each([
    ['headers', bearerLogin],
    ['basicAuth', passwordLogin],
  ])(
    'sends no secret of %s to another port, sub-domain, parent or site: directly, by redirects, from frames and workers',
    async (_kind, login) => {
      const [own, otherPort] = canaries.origins.of(name);
      const targets = [otherPort, ...otherHosts.map((other) => canaries.origins.of(other)[0])];
      const url = `${own}/everything?to=${targets.join()}`;
      const { own: received, others } = await canaries.during(own, () =>
        canaries.capture({ url, delay: 1500, timeout: 60_000, ...login }),
      );
      expectNoSecret(others, own);
      // The hunt is worth something: each kind of request did reach the other origins.
      for (const prefix of ['direct-', 'redirected-'])
        expect(namesOf(others, prefix).size, [...namesOf(others, prefix)].join()).toBeGreaterThan(20);
      const wanted = ['everything', ...carriers.map((kind) => `own-${kind}`), ...more];
      expect([...namesOf(carried(received))]).toEqual(expect.arrayContaining(wanted));
      // A frame of another origin has started it.
      expect(namesOf(received)).toContain('nested');
      expect(namesOf(carried(received))).not.toContain('nested');
    },
    180_000,
  );
});
