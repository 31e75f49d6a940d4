import { expect, it } from 'vitest';
import { isSelectorList } from './css-selector.ts';

it.each([
  ...['a', '#content', '.a.b', 'a > b', 'a+b~c', 'a, b', '*', 'a:not(.b, .c)', 'a:has(> img)', ':is()', '::part(foo)'],
  ...['a:nth-child(2n + 1 of .x)', '[ a = "b" i ]', "[a='b']", '[a|=b]', '[data-x="a]b"]', '[*|a]', 'svg|a', '*|*'],
  ...[
    '.sm\\:flex',
    '.w-1\\/2',
    '.\\31 0',
    '#\\31 23',
    '.ä',
    '#日本',
    '.😀',
    '--a',
    '.-a',
    '& > a',
    'a /* b */ c',
    '/**/a',
  ],
  // At its end everything is closed, by the rules of CSS.
  ...['[a="b', '[a', 'a:is(b', 'a:is("(', '.a\\'],
])('%s is a list of selectors', (selector) => {
  expect(isSelectorList(selector)).toBe(true);
});

it.each([
  ...[
    '',
    ' ',
    '/**/',
    'a,',
    ',a',
    'a,,b',
    '> a',
    'a >',
    'a > > b',
    '.',
    '#',
    ':',
    '..a',
    'a..b',
    '.1',
    '#1',
    '1a',
    'a:',
  ],
  ...[
    '[',
    '[[',
    '[]',
    '[=a]',
    '[a=]',
    '[a="b" c d]',
    'a]',
    'a)',
    'a{}',
    'a;b',
    '@a',
    'a!',
    '**',
    'a*',
    '"a"',
    '<<',
    'a%',
  ],
])('%s is none', (selector) => {
  expect(isSelectorList(selector)).toBe(false);
});
