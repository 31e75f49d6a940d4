// The house rules, read from the code itself: who may import whom, who may read the environment, who may
// decide a time-out, and who may speak to the network. (The doctor binds the server's port for a moment, and dials nobody.)
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../src');

// A folder may import itself and these. app.ts and cli join everything; so does what tests them.
const mayImport: Record<string, readonly string[]> = {
  kernel: [],
  config: ['kernel'],
  store: ['kernel'],
  egress: ['kernel'],
  cluster: ['kernel'],
  cache: ['kernel', 'store'],
  access: ['kernel', 'store'],
  capture: ['kernel', 'egress'],
  og: ['kernel', 'egress'],
  render: ['kernel', 'access', 'cache', 'cluster', 'capture', 'og'],
  http: ['kernel', 'config', 'store', 'egress', 'access', 'cache', 'cluster', 'capture', 'og', 'render'],
};

const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : name.endsWith('.ts') ? [path] : [];
  });

const sources = files(root)
  // What runs inside a page has the page's timers and no network of ours.
  .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('.d.ts') && !path.includes('/in-page/'))
  .map((path) => ({ path, name: relative(root, path), text: readFileSync(path, 'utf8') }));

const roomOf = (name: string) => name.split('/')[0]?.replace(/\.ts$/, '') ?? '';

const importsOf = ({ path, text }: (typeof sources)[number]): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    relative(root, join(dirname(path), match[1] ?? '')),
  );

describe('who may import whom', () => {
  for (const [room, allowed] of Object.entries(mayImport))
    it(`${room} imports only itself${allowed.length > 0 ? ` and ${allowed.join(', ')}` : ''}`, () => {
      const strangers = sources
        .filter(({ name }) => roomOf(name) === room)
        .flatMap((source) =>
          importsOf(source)
            .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
            .map((target) => `${source.name} → ${target}`),
        );
      expect(strangers).toEqual([]);
    });

  it('every room of the house is in the table', () => {
    const joiners = ['app', 'cli', 'doctor'];
    const unknown = new Set(
      sources.map(({ name }) => roomOf(name)).filter((room) => !(room in mayImport) && !joiners.includes(room)),
    );
    expect([...unknown]).toEqual([]);
  });
});

describe('one place for one thing', () => {
  const users = (pattern: RegExp, except: (name: string) => boolean) =>
    sources.filter(({ name, text }) => pattern.test(text) && !except(name)).map(({ name }) => name);

  it('no two exported types have one name', () => {
    const names = sources.flatMap(({ text }) =>
      [...text.matchAll(/^export (?:type|interface|class|abstract class) (\w+)/gm)].map(([, name]) => name),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('only config.ts reads the environment', () => {
    expect(users(/process\.env/, (name) => name === 'config.ts')).toEqual([]);
  });

  it('only kernel/deadline.ts decides a time-out', () => {
    expect(users(/\bsetTimeout\(|AbortSignal\.timeout/, (name) => name === 'kernel/deadline.ts')).toEqual([]);
  });

  it('only egress speaks to the network, beside the server itself and the database', () => {
    // `isIP` reads a string; it dials nobody.
    const network =
      /(?<!import \{ isIPv?[46]? \} )from 'node:(?:net|http|https|tls|dgram|dns(?:\/promises)?)'|from 'undici'|\bfetch\(/;
    const allowed = (name: string) =>
      name.startsWith('egress/') || name.startsWith('http/') || ['store/postgres.ts', 'doctor.ts'].includes(name);
    expect(users(network, allowed)).toEqual([]);
  });

  it('the HTTP layer dials nobody', () => {
    const dialling = sources.filter(
      ({ name, text }) => name.startsWith('http/') && /\bfetch\(|from 'undici'|\b(?:connect|request)\(\{/.test(text),
    );
    expect(dialling.map(({ name }) => name)).toEqual([]);
  });
});
