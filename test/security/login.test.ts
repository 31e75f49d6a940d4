// Secrets of a login, hunted with canaries: where a main document leads, what a page of another origin may read, and every
// place where the service writes something. All kinds of requests are in login-requests.test.ts.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allSecrets,
  type Canaries,
  carried,
  expectNoSecret,
  host,
  bearerLogin as login,
  namesOf,
  openCanaries,
  otherHosts,
  passwordLogin,
  secrets,
} from './login-canaries.ts';

let canaries: Canaries;
let own: string;
let otherPort: string;
beforeAll(async () => {
  canaries = await openCanaries();
  [own, otherPort] = canaries.origins.of(host);
});
afterAll(() => canaries.close());

const originOf = (name: string) => canaries.origins.of(name)[0];
const duringCapture = (values: Record<string, unknown>) => canaries.during(own, () => canaries.capture(values));
const pageThat = (origin: string, html: string, to = '') =>
  `${origin}/go?how=${encodeURIComponent(html)}&to=${encodeURIComponent(to)}`;

describe('a main document', () => {
  it.each([301, 302, 303, 307, 308])(
    'that answers %i does not take the secrets along to another origin, and has them again when it comes back',
    async (status) => {
      for (const other of [otherPort, ...otherHosts.map(originOf)]) {
        const via = (origin: string, to: string) => `${origin}/redirect?status=${status}&to=${encodeURIComponent(to)}`;
        const { own: received, others } = await duringCapture({
          url: via(own, via(other, via(own, `${other}/end`))),
          ...(status % 2 ? login : passwordLogin),
        });
        expectNoSecret(others, own);
        expect([...namesOf(others)]).toEqual(expect.arrayContaining(['redirect', 'end']));
        expect(carried(received).filter(({ path }) => path.startsWith('/redirect'))).toHaveLength(2);
      }
    },
  );

  it.each([
    ['<script>location = "TO"</script>'],
    ['<meta http-equiv=refresh content="0;url=TO">'],
    ['<form method=post action="TO"><input name=a value=b></form><script>document.forms[0].submit()</script>'],
    ['<a href="TO" ping="TO">x</a><script>document.links[0].click()</script>'],
    ['<a href="TO" download>x</a><script>document.links[0].click()</script>'],
    ['<script>open("TO")</script>'],
  ])('that leads on by %s does not take the secrets along', async (html) => {
    for (const other of [otherPort, originOf('sub.login.example.com')]) {
      const { others } = await duringCapture({ url: pageThat(own, html, `${other}/led`), ...login });
      expectNoSecret(others, own);
      if (!html.includes('open')) expect(namesOf(others, 'led').size).toBe(1);
    }
  });

  it('printed with a header and footer that load pictures does not give them away', async () => {
    const template = (name: string) => `<img src="${otherPort}/${name}"><img src="${own}/${name}">`;
    const templates = { headerTemplate: template('header'), footerTemplate: template('footer') };
    const { others } = await duringCapture({ url: `${own}/page`, format: 'pdf', ...templates, ...login });
    expectNoSecret(others, own);
  });

  it('captured with blocking on does not give them away, and loads its files with them', async () => {
    const html = `<img src="/own-image"><img src="${otherPort}/image"><script>new Worker('/worker.js?to=TO')</script>`;
    const url = pageThat(own, html, otherPort);
    const { own: received, others } = await duringCapture({ url, blockAds: true, blockCookies: true, ...login });
    expectNoSecret(others, own);
    const names = ['go', 'own-image', 'own-worker'];
    expect([...namesOf(carried(received))]).toEqual(expect.arrayContaining(names));
  });
});

it('no answer, log line, usage row, file or metric has a secret, whatever goes wrong', async () => {
  const { capture, service, customer } = canaries;
  const url = `${own}/page`;
  const requests = [
    { url: 'http://gone.example.com/', ...login },
    { url: 'http://10.0.0.1/', ...login },
    { url: `http://${host}:9/`, ...login },
    { url, timeout: 1, ...login },
    { url, waitForSelector: '#never', timeout: 500, ...login },
    { url, customJS: 'throw new Error("x")', ...login },
    { url, ...passwordLogin },
    { url, stale: true, ...login },
    { url, stale: true, fresh: true, ...login },
    { url, headers: { 'X-Canary': `${secrets.header}\n` } },
    { url, headers: { [`X ${secrets.header}`]: 'x' } },
    { url, headers: [secrets.header] },
    { url, headers: secrets.header },
    { url, header: secrets.header, cookie: secrets.cookie, authorization: secrets.bearer },
    { url, cookies: [{ name: 'a', value: `${secrets.cookie};` }] },
    { url, cookies: [{ name: 'a', value: secrets.cookie, domain: 'example.org' }] },
    { url, basicAuth: { username: `${secrets.password}:`, password: secrets.password } },
    { html: 'x', ...login },
    `{"headers":{"a":"${secrets.header}"`,
  ];
  let last = await capture({ url });
  for (const values of requests) last = await capture(values);
  const usage = JSON.stringify(await service.usageUpTo(last, customer.account));

  const files = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? files(path) : [readFileSync(path, 'latin1')];
    });
  const places = {
    answers: canaries.answers(),
    log: service.logLines.join('\n'),
    usage,
    files: files(service.dataDir).join('\n'),
    metrics: await service.metrics(),
  };
  // The search is worth something: the requests themselves are there.
  for (const text of [places.answers, places.usage, places.files]) expect(text).toContain(host);
  for (const [place, text] of Object.entries(places))
    for (const secret of allSecrets) expect(text.includes(secret), place).toBe(false);
});
