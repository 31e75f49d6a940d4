import { describe, expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

describe('cutText', () => {
  it('ends at a word', () => expect(cutText('one two three', 9)).toBe('one two'));

  it('closes the code that it cuts', () => {
    expect(cutText('```js\none two three\n```', 16, 'markdown')).toBe('```js\none\n```');
  });

  it('leaves a closed block of code alone', () => {
    expect(cutText('```\none\n```\n\ntwo three', 18, 'markdown')).toBe('```\none\n```\n\ntwo');
  });

  it('closes the elements that it cuts, and keeps within the limit, wherever that is', () => {
    const html =
      '<div><p>a &amp; b <b>bold</b> <img src="http://x/" alt="1"> text</p>\n<ul><li>item</li>\n</ul>\n</div>';
    for (let most = 0; most <= html.length; most++) {
      const cut = cutText(html, most, 'html');
      expect(cut.length).toBeLessThanOrEqual(most);
      const open: string[] = [];
      for (const [, slash, name = ''] of cut.matchAll(/<(\/?)([a-z]+)/g))
        if (slash) expect(open.pop()).toBe(name);
        else if (name !== 'img') open.push(name);
      expect(open).toEqual([]);
      expect(cut).not.toMatch(/&[a-z]*$|&[a-z]*</);
    }
  });
});
