import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '..', '..', 'web', 'dist');
const assets = readdirSync(join(dist, 'assets'));
const scripts = assets.filter((name) => name.endsWith('.js'));
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const textOf = (name: string) => readFileSync(join(dist, 'assets', name), 'utf8');

/** The scripts that a script names: `import … from "./x.js"`, and `import("./x.js")` for those loaded later. */
const named = (name: string, pattern: RegExp) => [...textOf(name).matchAll(pattern)].map(([, file]) => file ?? '');
const withItself = (name: string) => named(name, /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
const later = (name: string) => named(name, /import\(\s*["'`]\.\/([\w.-]+\.js)["'`]\s*\)/g);

/** All that is loaded with a script, and what that names; `known` is loaded already. */
function loadedBy(name: string, next: (name: string) => string[], known: ReadonlySet<string> = new Set()): Set<string> {
  const found = new Set<string>();
  const open = [name];
  for (let each = open.pop(); each !== undefined; each = open.pop())
    if (!known.has(each) && !found.has(each)) {
      found.add(each);
      open.push(...next(each));
    }
  return found;
}

const size = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(textOf(name), { level: 9 }).length, 0);

const entry = /<script[^>]+src="\/assets\/([\w.-]+\.js)"/.exec(html)?.[1] ?? '';
const first = loadedBy(entry, withItself);
const pages = [...new Set([...first].flatMap(later))];
/** The script of the documentation, and what it imports. */
const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
const docs = loadedBy(manifest['src/docs/main.ts'].file.replace('assets/', ''), withItself);

test('every page is loaded when it is opened, and every script belongs to one', () => {
  expect(pages.length).toBeGreaterThan(8);
  const all = pages.flatMap((page) => [...loadedBy(page, (name) => [...withItself(name), ...later(name)], first)]);
  expect(new Set([...first, ...all, ...docs])).toEqual(new Set(scripts));
});

/** CodeMirror, which only the editor of templates loads, once its page is there. */
const codeEditor = scripts.filter((name) => name.startsWith('code-editor-'));

const pageName = (file: string) => file.replace(/-[\w-]{8}\.js$/, '');

test.each(pages.map((page) => [pageName(page), page]))(
  'the page %s loads under 150 KB gzip of JavaScript',
  (_, page) => {
    const known = new Set([...first, ...codeEditor]);
    const more = loadedBy(page, (name) => [...withItself(name), ...later(name)], known);
    expect(size(first) + size(more)).toBeLessThan(150_000);
  },
);

test('the editor of templates is the only page that loads CodeMirror, under 150 KB gzip', () => {
  expect(codeEditor).toHaveLength(1);
  expect(size(codeEditor)).toBeLessThan(150_000);
  const users = pages.filter((page) =>
    loadedBy(page, (name) => [...withItself(name), ...later(name)], first).has(codeEditor[0] ?? ''),
  );
  expect(users.map(pageName)).toEqual(['editor']);
  expect(loadedBy(manifest['src/pages/templates/editor.tsx'].file.replace('assets/', ''), withItself)).not.toContain(
    codeEditor[0],
  );
});

test('the document has no inline script and no inline style, as its policy demands', () => {
  const tags = html.match(/<script\b[^>]*>/g) ?? [];
  expect(tags.length).toBeGreaterThan(0);
  for (const tag of tags) expect(tag).toContain('src="/');
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('scripts and styles are compressed at build time', () => {
  for (const name of assets.filter((each) => /\.(js|css)$/.test(each)))
    expect(assets).toEqual(expect.arrayContaining([`${name}.gz`, `${name}.br`]));
});
