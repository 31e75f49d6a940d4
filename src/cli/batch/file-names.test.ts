import { expect, it } from 'vitest';
import type { Endpoint } from '../../render/validated-request.ts';
import { createFileNames } from './file-names.ts';

const name = (parameters: Record<string, string>, endpoint: Endpoint = 'screenshot') =>
  createFileNames()({ endpoint, parameters: new Map(Object.entries(parameters)) });

it('a name shows the address, without its query, or the template and the title', () => {
  expect(name({ url: 'https://www.example.com/Docs/First%20Page.html?token=hunter2#top' })).toMatch(
    /^www\.example\.com-docs-first-page\.html-[0-9a-f]{12}\.png$/,
  );
  expect(name({ url: 'https://ada:hunter2@example.com/' })).toMatch(/^example\.com-[0-9a-f]{12}\.png$/);
  expect(name({ url: 'https://example.com/größe/日本', format: 'pdf' })).toMatch(
    /^example\.com-gro-e-[0-9a-f]{12}\.pdf$/,
  );
  expect(name({ template: 'quote', title: 'Is it?', format: 'webp' }, 'og')).toMatch(
    /^quote-is-it-[0-9a-f]{12}\.webp$/,
  );
  expect(name({ html: '<p>' })).toMatch(/^html-[0-9a-f]{12}\.png$/);
  for (const [format, extension] of Object.entries({ markdown: 'md', text: 'txt', html: 'html' }))
    expect(name({ url: 'https://a.test/', format }, 'content')).toMatch(new RegExp(`\\.${extension}$`));
  expect(name({ url: 'https://a.test/' }, 'content')).toMatch(/\.md$/);
});

it('a name is safe whatever the address says', () => {
  const hostile = [
    'https://a.test/../../../../etc/passwd',
    'https://a.test/%2e%2e%2f%2e%2e%2fetc',
    'https://a.test/%00%0a%1b[31m',
    `https://${'a'.repeat(60)}.test/${'long/'.repeat(800)}`,
    'https://a.test/%E0%A4%A',
    'https://a.test/-rf',
    'not a url/../..',
    '',
    '....',
  ];
  for (const url of hostile) {
    const file = name({ url, format: '../../x' });
    expect(file, url).toMatch(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?-[0-9a-f]{12}\.png$/);
    expect(file.length).toBeLessThan(120);
    expect(file).not.toContain('..');
  }
});

it('a name is the same in every run, differs with every parameter but a login, and has a number if it repeats', () => {
  const url = 'https://a.test/';
  expect(name({ url, width: '800', height: '600' })).toBe(name({ height: '600', width: '800', url }));
  expect(name({ url, width: '800' })).not.toBe(name({ url, width: '801' }));
  expect(name({ url })).not.toBe(name({ url }, 'content').replace('.md', '.png'));
  expect(name({ url, cookies: '[]', headers: '{}', basicAuth: '{}' })).toBe(name({ url }));
  const names = createFileNames();
  const same = { endpoint: 'screenshot', parameters: new Map([['url', url]]) } as const;
  const [first, second, third] = [names(same), names(same), names(same)];
  expect([second, third]).toEqual([first.replace('.png', '-2.png'), first.replace('.png', '-3.png')]);
});
