import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ogTemplatesPage } from '../../scripts/og-templates-page.ts';

it('docs/og-templates.md is what `npm run docs` makes of the template files', async () => {
  const page = await readFile(new URL('../../docs/og-templates.md', import.meta.url), 'utf8');
  expect(page).toBe(await ogTemplatesPage());
});
