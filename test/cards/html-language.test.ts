// What the language of templates promises about texts, lists, code and shapes, measured in the layout.
import { beforeAll, describe, expect, it } from 'vitest';
import { readTemplate } from '../../src/cards/html/read-html.ts';
import { createLayouts, type LayoutOf } from './layout.ts';

let layoutOf: LayoutOf;
beforeAll(async () => {
  layoutOf = await createLayouts();
});

const column = (inside: string) => `<div class="flex flex-col w-full h-full p-[72px]">${inside}</div>`;
const words = 'Twelve words that are long enough for three lines of a card';

describe('a text that fits', () => {
  it('takes the largest size of its range, of all sizes in between', async () => {
    const size = async (title: string) =>
      (await layoutOf(column('<h1 data-fit="36-96" data-lines="1">{{title}}</h1>'), { title })).find(title).size ?? 0;
    expect(await size('Hi')).toBe(96);
    const middle = await size(words);
    expect(middle).toBeLessThan(60);
    expect(middle).toBeGreaterThan(36);
  });

  it.each(['96-36', '2-40', '40-2000', 'large', '40.5-60'])('data-fit="%s" is a mistake with its place', (range) => {
    expect(() => readTemplate(`<div>\n<h1 data-fit="${range}">x</h1></div>`)).toThrow(
      /data-fit takes a range of sizes/,
    );
  });

  it('has the size of the longest of its group', async () => {
    const html = column(
      '<div class="flex"><b class="basis-0 grow" data-fit="20-90" data-lines="1" data-fit-group="a">{{one}}</b><b class="basis-0 grow" data-fit="20-90" data-lines="1" data-fit-group="a">{{other}}</b></div>',
    );
    const { find } = await layoutOf(html, { one: '7', other: 'A figure of many letters' });
    expect(find('7').size).toBe(find('A figure of many letters').size);
    expect(find('7').size).toBeLessThan(60);
  });

  it('is found behind a blank between two words in a row', async () => {
    const html = column(
      '<div class="flex"><b>{{one}}</b> <b class="min-w-0" data-fit="20-90" data-lines="1">{{other}}</b></div>',
    );
    const { find } = await layoutOf(html, { one: 'A word', other: words });
    expect(find(words).lines).toHaveLength(1);
    expect(find(words).right).toBeLessThanOrEqual(1200);
  });

  it('ends above the next, also where both want the room of the other', async () => {
    const html = column(
      '<h1 data-fit="32-60" data-lines="2" class="shrink-0">{{title}}</h1><h2 data-fit="28-60" data-lines="2" class="min-h-0">{{description}}</h2><p class="shrink-0 h-[300px]">end</p>',
    );
    for (const description of [
      words,
      '画像生成の仕組みを一から作り直して四倍速くした話',
      'Ship it 🚀 with family 👨‍👩‍👧‍👦 flags 🇯🇵🇧🇷 and 👩🏽‍💻 more',
    ])
      for (const { bottom, text } of (await layoutOf(html, { title: `${words} ${words}`, description })).texts)
        expect(bottom, text).toBeLessThanOrEqual(630 - 72 + 1);
  });
});

describe('a list', () => {
  const list = column(
    '<ul class="flex flex-col gap-2 grow basis-0 overflow-hidden leading-[1.25]">{{#each change_items}}<li>{{this}}</li>{{/each}}<li data-more>+ {{@more}} more</li></ul>',
  );
  const items = (count: number) => Array.from({ length: count }, (_, i) => `Item ${i + 1}`);
  const shown = async (count: number) =>
    (await layoutOf(list, { change_items: items(count).join('\n') })).texts.map(({ text }) => text);

  it('that has room for all its rows shows them, and no number', async () => {
    expect(await shown(10)).toEqual(items(10));
  });

  it('that has not shows whole rows, and how many are left out', async () => {
    expect(await shown(15)).toEqual([...items(9), '+ 6 more']);
    expect(await shown(20)).toEqual([...items(9), '+ 11 more']);
  });

  it('{{@more}} elsewhere is a mistake', () => {
    expect(() => readTemplate('<p>{{@more}}</p>')).toThrow(/only be used in an element with data-more/);
  });
});

describe('the shapes', () => {
  const html = column(
    '<p class="hidden lg:block">wide</p><p class="hidden md:block">not tall</p><p class="small:hidden">not small</p><h1 data-fit="30-90" lg:data-fit="30-50" small:data-fit="20-22">{{title}}</h1>',
  );
  const of = async (shape: 'wide' | 'square' | 'tall' | 'small') => {
    const { texts, find } = await layoutOf(html, { title: 'Hi' }, shape);
    return [...texts.map(({ text }) => text), find('Hi').size];
  };

  it('have their own classes and sizes', async () => {
    expect(await of('wide')).toEqual(['wide', 'not tall', 'not small', 'Hi', 50]);
    expect(await of('square')).toEqual(['not tall', 'not small', 'Hi', 90]);
    expect(await of('tall')).toEqual(['not small', 'Hi', 90]);
  });

  it('a small card is laid out at half the size, and only if the template says what to leave out', async () => {
    expect(await of('small')).toEqual(['wide', 'not tall', 'Hi', 22]);
    const whole = await layoutOf(column('<p class="w-full">{{title}}</p>'), { title: 'Hi' }, 'small');
    expect(whole.find('Hi').right).toBe(1200 - 72);
  });
});

describe('code', () => {
  const html = column(
    '<pre data-highlight="{{filename}}" data-numbers data-fit="20-34" class="min-h-0 font-mono">{{code}}</pre>',
  );
  const code = "const x = 'one';\n\nreturn sign(path, secret, expires, 'a text that is quite long');";

  it('keeps its lines, which are numbered, and is as large as they allow', async () => {
    const { texts } = await layoutOf(html, { code, filename: 'a.ts' });
    expect(texts.map(({ text }) => text)).toEqual(['1', "const x = 'one';", '2', '\u200b', '3', code.split('\n')[2]]);
    for (const { lines, right } of texts) expect([lines.length, right <= 1129]).toEqual([1, true]);
    const wider = await layoutOf(html, { code: code.repeat(3), filename: 'a.ts' });
    expect(wider.texts.every(({ right }) => right <= 1129)).toBe(true);
  });

  it('of any language, or of none, is read', async () => {
    for (const filename of ['', 'nothing', 'x.py', 'go', 'constructor', '__proto__'])
      expect((await layoutOf(html, { code: '<b>&amp; "x"', filename })).find('<b>&amp; "x"')).toBeDefined();
  });
});
