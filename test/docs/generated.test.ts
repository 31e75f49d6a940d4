import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../../scripts/docs.ts';

it.each(Object.keys(pages))('docs/%s says what the code says (npm run docs writes it)', (name) => {
  expect(readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')).toBe(pages[name]);
});
