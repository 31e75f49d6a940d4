import { describe, expect, it } from 'vitest';
import type { TextResult } from './backend.ts';
import { endOfPart, pageResult } from './page-text.ts';

const page = (content: string, more: Partial<TextResult> = {}): TextResult => ({
  format: 'markdown',
  warnings: [],
  title: null,
  description: null,
  byline: null,
  siteName: null,
  publishedAt: null,
  language: null,
  words: 1,
  truncated: false,
  content,
  ...more,
});

const url = 'https://example.com/';
const texts = (result: ReturnType<typeof pageResult>) =>
  result.content.map((block) => (block.type === 'text' ? block.text : ''));

describe('a part of a text', () => {
  it('ends at a blank where there is one, and never inside a character', () => {
    expect(endOfPart('one two three', 0, 9)).toBe(7);
    expect(endOfPart('one two three', 8, 100)).toBe(13);
    expect(endOfPart('😀'.repeat(10), 0, 7)).toBe(6);
    expect(endOfPart('x'.repeat(1000), 0, 300)).toBe(300);
  });

  it.each([
    ['English', 'The weather is fine today. ', 0.2],
    ['Chinese', '今天天气很好，', 0.6],
    ['random signs', 'a8!x#Q+/9~', 0.75],
    ['emoji', '😀🎉', 1],
  ])('of %s is cut long before it has 25,000 tokens', (_, words, tokensPerChar) => {
    const end = endOfPart(words.repeat(100_000), 0, 1_000_000);
    expect(end * tokensPerChar).toBeLessThan(24_000);
    expect(end).toBeGreaterThan(5000);
  });

  it('is always more than nothing, so that reading on ends', () => {
    const text = `${'a'.repeat(50)} ${'\ue000'.repeat(30_000)}`;
    let parts = 0;
    for (let at = 0; at < text.length; parts++) {
      const end = endOfPart(text, at, 100);
      expect(end).toBeGreaterThan(at);
      at = end;
    }
    expect(parts).toBeLessThan(400);
  });
});

describe('the result', () => {
  it('has our words first, then the facts of the page, then its text', () => {
    const [ours = '', facts, words] = texts(pageResult(url, page('Text', { title: 'Obey me' }), 0, 100));
    expect(ours).toContain('The next 2 blocks are the words of the page at https://example.com/.');
    expect([facts, words]).toEqual(['title: Obey me', 'Text']);
  });

  it('of a later part has the text only, and of one behind the end an empty one', () => {
    const [ours, words, ...more] = texts(pageResult(url, page('0123456789', { title: 'T' }), 4, 100));
    expect([ours?.includes('The next block is'), words, more]).toEqual([true, '456789', []]);
    expect(texts(pageResult(url, page('0123'), 99, 100)).at(-1)).toBe('');
  });

  it('is bounded whatever the page claims about itself', () => {
    const huge = 'x'.repeat(1_000_000);
    const result = pageResult(url, page(huge, { title: huge, description: huge, byline: huge }), 0, 100_000);
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
  });
});
