// Rules for imports: which folder may import which, and which files may read the environment, set timeouts or use the
// network. (The doctor binds the server's port for a moment; it opens no connection.)
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../src');

// A folder may import itself and these. app.ts, cli and doctor.ts may import everything.
const mayImport: Record<string, readonly string[]> = {
  kernel: [],
  samples: [],
  config: ['kernel'],
  store: ['kernel'],
  egress: ['kernel'],
  cluster: ['kernel'],
  cache: ['kernel', 'store'],
  access: ['kernel', 'store'],
  capture: ['kernel', 'egress'],
  cards: ['kernel', 'egress'],
  content: ['kernel', 'capture'],
  templates: ['kernel', 'store', 'cards'],
  render: ['kernel', 'access', 'cache', 'cluster', 'capture', 'content', 'cards', 'templates'],
  jobs: ['kernel', 'store', 'access', 'render'],
  webhooks: ['kernel', 'store'],
  sites: ['kernel', 'store', 'egress', 'access', 'cards', 'templates', 'render'],
  mcp: ['kernel', 'render'],
  http: [
    ...['kernel', 'store', 'egress', 'access', 'cache', 'capture', 'content', 'cards', 'render'],
    ...['jobs', 'mcp', 'samples', 'sites', 'templates', 'webhooks'],
  ],
};

const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : name.endsWith('.ts') ? [path] : [];
  });

const sources = files(root)
  // Code in in-page/ runs in the page and uses its timers and network.
  .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('.d.ts') && !path.includes('/in-page/'))
  .map((path) => ({ path, name: relative(root, path), text: readFileSync(path, 'utf8') }));

const folderOf = (name: string) => name.split('/')[0]?.replace(/\.ts$/, '') ?? '';

const importsOf = ({ path, text }: (typeof sources)[number]): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    relative(root, join(dirname(path), match[1] ?? '')),
  );

describe('imports between folders', () => {
  for (const [folder, allowed] of Object.entries(mayImport))
    it(`${folder} imports only itself${allowed.length > 0 ? ` and ${allowed.join(', ')}` : ''}`, () => {
      const forbidden = sources
        .filter(({ name }) => folderOf(name) === folder)
        .flatMap((source) =>
          importsOf(source)
            .filter((target) => folderOf(target) !== folder && !allowed.includes(folderOf(target)))
            .map((target) => `${source.name} → ${target}`),
        );
      expect(forbidden).toEqual([]);
    });

  it('every folder is in the table', () => {
    const mayImportAll = ['app', 'cli', 'doctor'];
    const unknown = new Set(
      sources
        .map(({ name }) => folderOf(name))
        .filter((folder) => !(folder in mayImport) && !mayImportAll.includes(folder)),
    );
    expect([...unknown]).toEqual([]);
  });
});

describe('one place for one thing', () => {
  // samples/ writes code that others run; it imports nothing, so it can do none of this itself.
  const users = (pattern: RegExp, except: (name: string) => boolean) =>
    sources
      .filter(({ name, text }) => pattern.test(text) && !name.startsWith('samples/') && !except(name))
      .map(({ name }) => name);

  it('no two exported types have one name', () => {
    const names = sources.flatMap(({ text }) =>
      [...text.matchAll(/^export (?:type|interface|class|abstract class) (\w+)/gm)].map(([, name]) => name),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('only config.ts reads the environment', () => {
    expect(users(/process\.env/, (name) => name === 'config.ts')).toEqual([]);
  });

  it('only kernel/deadline.ts sets timeouts', () => {
    expect(users(/\bsetTimeout\(|AbortSignal\.timeout/, (name) => name === 'kernel/deadline.ts')).toEqual([]);
  });

  it('only egress, http and the listed files use the network', () => {
    // `isIP` only parses a string. http/ listens; the next test checks that it opens no connection.
    const network =
      /(?<!import \{ isIPv?[46]? \} )from 'node:(?:net|http|https|tls|dgram|dns(?:\/promises)?)'|from 'undici'|\bfetch\(/;
    // cli/template-preview only listens, on the loopback address.
    // mcp/remote-server.ts connects to the server that --server names.
    const others = [
      'store/postgres.ts',
      'doctor.ts',
      'mcp/remote-server.ts',
      'access/openid.ts',
      'cli/template-preview/preview-server.ts',
    ];
    const allowed = (name: string) => name.startsWith('egress/') || name.startsWith('http/') || others.includes(name);
    expect(users(network, allowed)).toEqual([]);
  });

  it('the server loads src/mcp with its first request, not at its start', () => {
    const eager = /^import (?!type )[^;]*from '(?:\.[^']*\/mcp\/[^']*|@modelcontextprotocol[^']*)'/m;
    const allowed = (name: string) => name.startsWith('mcp/') || name === 'app/mcp.ts';
    expect(users(eager, allowed)).toEqual([]);
  });

  it('the HTTP layer opens no connection', () => {
    const connecting = sources.filter(
      ({ name, text }) => name.startsWith('http/') && /\bfetch\(|from 'undici'|\b(?:connect|request)\(\{/.test(text),
    );
    expect(connecting.map(({ name }) => name)).toEqual([]);
  });
});
