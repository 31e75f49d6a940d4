// Markdown that is made to be slow or to grow: each ends in time, and a thread is there for the next text.
import { afterAll, expect, it } from 'vitest';
import { createMarkdownConverter } from '../../src/capture/markdown/converter.ts';
import { Deadline } from '../../src/kernel/deadline.ts';

const converter = createMarkdownConverter();
afterAll(() => converter.stop());

const filled = (text: string, length = 490_000) => text.repeat(Math.floor(length / text.length));
const code = (language: string, text: string) => `\`\`\`${language}\n${filled(text, 49_000)}\n\`\`\``;

it.each([
  ['quotes in quotes', filled('>')],
  ['lists in lists', Array.from({ length: 900 }, (_, i) => `${' '.repeat(i)}- a`).join('\n')],
  ['numbered lists in one line', filled('1. ')],
  ['open brackets', filled('[')],
  ['open links', filled('[a](')],
  ['stars', filled('*a ')],
  ['underscores', filled('_a__')],
  ['tildes', filled('~~a~')],
  ['back ticks', filled('`a``')],
  ['a link that is used often', `[a]: http://e.test/${'x'.repeat(240_000)}\n\n${'[a] '.repeat(60_000)}`],
  ['open tags', filled('<a ')],
  ['entities', filled('&a')],
  ['mail addresses', filled('a@')],
  ['headings of one text', filled('# a\n')],
  ['columns', `${filled('|a', 200_000)}\n${filled('|-', 200_000)}\n`],
  ['slashes in JavaScript', code('js', '/')],
  ['templates in JavaScript', code('js', 'let a = `${')],
  ['tags in XML', code('xml', '<a ')],
])('a text of %s is converted or refused within 5 s', async (_what, markdown) => {
  const deadline = new Deadline(20_000);
  const outcome = await converter.convert(markdown, deadline).then(
    (html) => html.length < 8e6,
    (error) => error.code === 'invalid_parameter' && error.parameter === 'markdown',
  );
  expect([outcome, deadline.elapsed() < 8000]).toEqual([true, true]);
  expect((await converter.convert('# Next', deadline)).toString()).toContain('<h1 id="next">Next</h1>');
  deadline.done();
});

it('a text that is slower than its request ends with it, and its thread too', async () => {
  const deadline = new Deadline(500);
  await expect(converter.convert(filled('>'), deadline)).rejects.toMatchObject({ code: 'render_timeout' });
});

it('a slow text does not delay the next one', async () => {
  const deadline = new Deadline(20_000);
  const slow = converter.convert(filled('>'), deadline).catch(() => 'slow');
  expect(await Promise.race([slow, converter.convert('# Quick', deadline)])).not.toBe('slow');
  expect(await slow).toBe('slow');
  deadline.done();
});
