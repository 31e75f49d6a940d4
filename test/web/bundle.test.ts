import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '..', '..', 'web', 'dist');
const assets = readdirSync(join(dist, 'assets'));
const scripts = assets.filter((name) => name.endsWith('.js'));

test('all JavaScript of the dashboard together is under 150 KB gzip', () => {
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(dist, 'assets', name)), { level: 9 }).length);
  expect(scripts.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

test('the document has no inline script and no inline style, as its policy demands', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) expect(tag).toContain('src="/');
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('scripts and styles are compressed at build time', () => {
  for (const name of assets.filter((each) => /\.(js|css)$/.test(each)))
    expect(assets).toEqual(expect.arrayContaining([`${name}.gz`, `${name}.br`]));
});
