// What a painting process that fails costs: its own request.
import { afterEach, expect, it } from 'vitest';
import { Deadline } from '../../kernel/deadline.ts';
import { createLog } from '../../kernel/log.ts';
import { createHtmlPainter } from './html-painter.ts';
import { readTags } from './read-tags.ts';

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

it('a painting process that cannot be started costs its request, and its place is given back', async () => {
  const painter = createHtmlPainter(createLog('silent'), 1);
  const deadline = new Deadline(60_000);
  try {
    process.execPath = '/no/such/program';
    for (let i = 0; i < 2; i++)
      await expect(painter.read('<p>x</p>', deadline)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
    process.execPath = execPath;
    expect(await painter.read('<p>{{title}}</p>', deadline)).toMatchObject({ variables: { title: 'text' } });
  } finally {
    deadline.done();
    await painter.stop();
  }
});

it('a template of many lines and many elements is read before its process is ended', async () => {
  const painter = createHtmlPainter(createLog('silent'), 1);
  const deadline = new Deadline(60_000);
  try {
    const source = '\n'.repeat(32_000) + '<meta>'.repeat(5500);
    expect(await painter.read(source, deadline)).toEqual({ variables: {}, files: [] });
  } finally {
    deadline.done();
    await painter.stop();
  }
});

it('every character keeps its line and column', () => {
  const source = 'a\n{{x}}b\n\nc{{#if y}}\nd{{/if}}e\n';
  const { text, placeOf } = readTags(source);
  const places = [...'abcde'].map((letter) => placeOf(text.indexOf(letter)));
  expect(places).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 6 },
    { line: 4, column: 1 },
    { line: 5, column: 1 },
    { line: 5, column: 9 },
  ]);
  expect(placeOf(text.length)).toEqual({ line: 6, column: 1 });
});

it('a card that takes too long is refused the second time, but not a small one of the same template', async () => {
  const lines: string[] = [];
  const painter = createHtmlPainter(
    createLog('warn', (line) => lines.push(line)),
    1,
  );
  const deadline = new Deadline(60_000);
  const source = `<style>i { display: block; width: 100%; height: 100%; filter: blur(20px) }</style>${'<i></i>'.repeat(900)}`;
  const paint = (width: number) => {
    const canvas = { width, height: width, format: 'png', quality: 80 } as const;
    return painter.paint({ source, variables: {}, files: [], values: {}, pictures: [], canvas }, deadline);
  };
  try {
    for (let i = 0; i < 2; i++) await expect(paint(4096)).rejects.toThrow('more than 3 seconds');
    expect(lines.length).toBe(1);
    expect((await paint(16)).bytes.length).toBeGreaterThan(0);
  } finally {
    deadline.done();
    await painter.stop();
  }
});

it('a card that takes too long because of its values is not refused to another account with the same template', async () => {
  const painter = createHtmlPainter(createLog('silent'), 1);
  const deadline = new Deadline(60_000);
  const heavy = '<i></i>'.repeat(900);
  const source = `<style>i { display: block; width: 100%; height: 100%; filter: blur(20px) }</style>{{#if heavy}}${heavy}{{/if}}<p>x</p>`;
  const variables = { heavy: { type: 'text', doc: '' } } as const;
  const canvas = { width: 2048, height: 2048, format: 'png', quality: 80 } as const;
  const paint = (owner: string, values: Record<string, string>) =>
    painter.paint({ owner, source, variables, files: [], values, pictures: [], canvas }, deadline);
  try {
    await expect(paint('a', { heavy: 'yes' })).rejects.toThrow('more than 3 seconds');
    expect((await paint('b', {})).bytes.length).toBeGreaterThan(0);
  } finally {
    deadline.done();
    await painter.stop();
  }
});

it('the cards of an account that take too long delay the card of another by one of them', async () => {
  const painter = createHtmlPainter(createLog('silent'), 1);
  const deadline = new Deadline(100_000);
  const source = `<style>i { display: block; width: 100%; height: 100%; filter: blur(20px) }</style>${'<i></i>'.repeat(900)}`;
  const ended: string[] = [];
  const paint = (owner: string, html: string, width: number) => {
    const canvas = { width, height: width, format: 'png', quality: 80 } as const;
    const card = { owner, source: html, variables: {}, files: [], values: {}, pictures: [], canvas };
    return painter.paint(card, deadline).then(
      () => ended.push(`${owner} painted`),
      () => ended.push(`${owner} refused`),
    );
  };
  try {
    await Promise.all([...[4096, 3072, 2048].map((width) => paint('a', source, width)), paint('b', '<p>x</p>', 600)]);
    expect(ended).toEqual(['a refused', 'b painted', 'a refused', 'a refused']);
  } finally {
    deadline.done();
    await painter.stop();
  }
});
