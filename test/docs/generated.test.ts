import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientTypes, clientTypesFile } from '../../scripts/client-types.ts';
import { pages } from '../../scripts/docs.ts';

it.each(Object.keys(pages))('docs/%s says what the code says (npm run docs writes it)', (name) => {
  expect(readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')).toBe(pages[name]);
});

it('the types of the TypeScript client say what the code says (npm run docs writes them)', async () => {
  expect(readFileSync(clientTypesFile, 'utf8')).toBe(await clientTypes());
});

it('the TypeScript client has the version of the project', () => {
  const version = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).version;
  expect(version('clients/typescript/package.json')).toBe(version('package.json'));
});
