import type { Node } from '@takumi-rs/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { typefaces } from '../../src/cards/fonts.ts';
import { createCardPainter } from '../../src/cards/html/card-painter.ts';
import { readTemplate } from '../../src/cards/html/read-html.ts';
import { createPainter, type Painter } from '../../src/cards/painter.ts';
import { directionOf, hanFormOf, leastLeading } from '../../src/cards/script.ts';
import { cleanText } from '../../src/cards/typeset.ts';
import { difference, inkBox, type Pixels, pixelsOf } from './maker.ts';

let painter: Painter;
beforeAll(async () => {
  painter = await createPainter();
});

it('fonts of other scripts are loaded by the first text that needs one, and by no other', async () => {
  const han = '中'.codePointAt(0) ?? 0;
  await painter.loadFontsFor('Zażółć “gęślą” jaźń — Съешь же ещё, 5 € 🎉\n');
  expect(painter.coverage.has(han)).toBe(false);
  // At once: all wait for the same fonts.
  await Promise.all([painter.loadFontsFor('From Arabic to 中文'), painter.loadFontsFor('ไทย')]);
  expect(painter.coverage.has(han)).toBe(true);
});

const canvas = { width: 600, height: 200, format: 'png', quality: 80 } as const;

const style = { fontFamily: typefaces.sans, fontSize: 40, lineHeight: 1.4, color: 'black', overflowWrap: 'anywhere' };
const text = (words: string, more: object = {}): Node => ({
  type: 'text',
  text: words,
  style: { ...style, ...more } as never,
});
const sheet = (...children: Node[]): Node => ({
  type: 'container',
  style: {
    display: 'flex',
    flexDirection: 'column',
    width: '100%',
    height: '100%',
    padding: 20,
    backgroundColor: 'white',
  },
  children,
});

/** The words black on white, from the top left corner of their direction. */
async function set(words: string, more: object = {}): Promise<Pixels> {
  const setting = { han: hanFormOf(words), direction: directionOf(words) };
  return pixelsOf(await painter.paint(sheet(text(words, more)), canvas, 1, setting));
}

/** The words in an HTML template, on at most two lines of 40 pixels. */
async function setOnTwoLines(words: string): Promise<Pixels> {
  const tree = readTemplate(
    '<div class="w-full h-full p-[63px] bg-white"><p class="text-[126px] leading-[1.4] line-clamp-2">{{words}}</p></div>',
  );
  const variables = { words: { type: 'text', doc: 'The words.' } } as const;
  const card = { tree, variables, files: [], pictures: [], values: { words }, canvas };
  return pixelsOf((await createCardPainter(painter).paint(card)).bytes);
}

const languages: Record<string, string> = {
  English: 'Quick brown fox',
  Vietnamese: 'Tiếng Việt ẩm ướt',
  Russian: 'Съешь же ещё',
  Ukrainian: 'Ґанок її єдиний',
  Greek: 'Ξεσκεπάζω τὴν ψυχοφθόρα',
  Polish: 'Zażółć gęślą jaźń',
  Turkish: 'Pijamalı hasta yağız',
  Arabic: 'نص حكيم له سر',
  Persian: 'چگونه پژوهش گزینه',
  Urdu: 'ٹھنڈی ہوا ڈھونڈو',
  Hebrew: 'דג סקרן שט בים',
  Hindi: 'ऋषियों को सताने वाले',
  Bengali: 'আমার সোনার বাংলা',
  Tamil: 'யாமறிந்த மொழிகளிலே',
  Telugu: 'దేశ భాషలందు తెలుగు',
  Kannada: 'ಎಲ್ಲಾದರು ಇರು ಎಂತಾದರು',
  Malayalam: 'അജവും ആനയും ഐരാവതവും',
  Gujarati: 'ગુજરાતી ભાષા',
  Punjabi: 'ਪੰਜਾਬੀ ਬੋਲੀ',
  Sinhala: 'අයේෂාව ගොවිපොළක',
  Thai: 'เป็นมนุษย์สุดประเสริฐ',
  Lao: 'ພາສາລາວ',
  Khmer: 'ភាសាខ្មែរ',
  Burmese: 'မြန်မာဘာသာ',
  Georgian: 'ქართული ენა',
  Armenian: 'Հայերեն լեզու',
  Amharic: 'አማርኛ ቋንቋ',
  Odia: 'ଓଡ଼ିଆ ଭାଷା',
  Tibetan: 'བོད་སྐད་',
  Mongolian: 'ᠮᠣᠩᠭᠣᠯ',
  Tamazight: 'ⵜⴰⵎⴰⵣⵉⵖⵜ',
  Cherokee: 'ᏣᎳᎩ',
  Inuktitut: 'ᐃᓄᒃᑎᑐᑦ',
  Dhivehi: 'ދިވެހި',
  Japanese: '色は匂へど散りぬるを アイウ',
  Korean: '키스의 고유조건은 입술끼리',
  'Simplified Chinese': '视野无限广，窗外有蓝天',
  'Traditional Chinese': '視野無限廣，窗外有藍天',
  'combining marks': 'x̄ n̈ q̃ é ŵ́',
  symbols: '→ ⇒ ∑ ∞ √ ≠ ⌘ ★ ✓ ♠ ■ ① ⠿ 𝔹 ℝ',
  currencies: '€ £ ¥ ₹ ₿ ₺ ₴ ₩',
};

describe('text of the world', () => {
  it.each(Object.entries(languages))('%s has a glyph for every character', (_, words) => {
    expect(cleanText(words, painter.coverage, painter.emoji)).toEqual({ text: words.normalize('NFC'), missing: [] });
  });

  it.each(Object.entries(languages))('%s is painted with letters, not with the empty box', async (_, words) => {
    // A character of the private use area is in no font: the engine paints its empty box for it.
    const box = await set('\ue000');
    const letters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(words)]
      .map(({ segment }) => segment)
      .filter((letter) => letter.trim() !== '')
      .slice(0, 6);
    for (const letter of letters) {
      const painted = await set(letter);
      expect(inkBox(painted), letter).toBeDefined();
      expect(difference(painted, box), letter).toBeGreaterThan(0.0005);
    }
  });

  it('what no font has is left out', () => {
    const { text, missing } = cleanText('a\ue000b\u{f0000}', painter.coverage, painter.emoji);
    expect({ text, missing }).toEqual({ text: 'ab', missing: ['U+E000', 'U+F0000'] });
  });

  it('joiners that shape their neighbours are kept', () => {
    const persian = 'می\u200cخواهم';
    expect(cleanText(persian, painter.coverage, painter.emoji).text).toBe(persian);
  });

  it('a letter under a pile of marks keeps six of them', () => {
    expect([...cleanText(`x${'\u0304'.repeat(500)}`, painter.coverage, painter.emoji).text]).toHaveLength(7);
  });
});

describe('emoji', () => {
  it.each([
    ['a face', '😀'],
    ['one of Unicode 16', '\u{1fae9}'],
    ['one of Unicode 17', '\u{1faea}'],
    ['a flag', '🇯🇵'],
    ['a flag of tags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a keycap', '1️⃣'],
    ['a heart asked for as a picture', '❤️'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a profession with a skin tone', '👩🏽‍💻'],
  ])('%s is drawn in colour', async (_, emoji) => {
    expect(painter.emoji.find(emoji)).toBeDefined();
    const { data } = await set(emoji);
    let coloured = 0;
    for (let i = 0; i < data.length; i += 3)
      if (
        Math.max(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) -
          Math.min(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) >
        40
      )
        coloured++;
    expect(coloured).toBeGreaterThan(100);
  });

  it('every picture emoji of this Unicode has a drawing, but for the bare skin tones and hair', () => {
    const missing: string[] = [];
    for (let point = 0x231a; point < 0x1fb00; point++) {
      const char = String.fromCodePoint(point);
      if (!/\p{Emoji_Presentation}/u.test(char) || /\p{Regional_Indicator}|\p{Emoji_Component}/u.test(char)) continue;
      if (painter.emoji.find(char) === undefined) missing.push(point.toString(16));
    }
    expect(missing).toEqual([]);
  });

  it('a sequence that is not drawn as one is drawn as its parts', () => {
    const { text, missing } = cleanText('🐶\u200d🚀', painter.coverage, painter.emoji);
    expect({ text, missing }).toEqual({ text: '🐶🚀', missing: [] });
  });

  it('signs that are letters by default stay letters', () => {
    for (const sign of ['✓', '→', '©', '❤︎', '1', '#']) expect(painter.emoji.find(sign)).toBeUndefined();
  });
});

describe('text from right to left', () => {
  it.each([
    ['Arabic', 'مرحبا بالعالم'],
    ['Hebrew', 'שלום עולם'],
    ['Arabic that ends in Latin', 'مرحبا Tintype'],
  ])('%s starts at the right', async (_, words) => {
    const box = inkBox(await set(words));
    expect(canvas.width - (box?.right ?? 0)).toBeLessThan(40);
    expect(box?.left).toBeGreaterThan(200);
  });

  it('Latin starts at the left, also with an Arabic word in it', async () => {
    for (const words of ['Hello world', 'Hello مرحبا']) expect(inkBox(await set(words))?.left).toBeLessThan(40);
  });

  it.each([
    ['Arabic', 'كلمة طويلة جدا '],
    ['Hebrew', 'מילה ארוכה מאוד '],
  ])('%s that is too long fills its lines before the ellipsis', async (_, words) => {
    const second = await setOnTwoLines(words.repeat(40));
    const box = inkBox(second);
    // Nearly the whole width is used: the engine's own clamp leaves a letter and an ellipsis on the second line.
    const lower: Pixels = {
      width: second.width,
      height: 60,
      data: second.data.subarray(second.width * 3 * ((box?.bottom ?? 0) - 40)),
    };
    const line = inkBox({ ...lower, height: Math.min(40, Math.floor(lower.data.length / 3 / lower.width)) });
    expect(line?.left).toBeLessThan(canvas.width * 0.4);
    expect(line?.right).toBeGreaterThan(canvas.width * 0.85);
    expect(box?.bottom).toBeLessThan(20 + 2 * 40 * 1.45);
  });
});

describe('Chinese characters', () => {
  it('have the forms of the country whose text it is', () => {
    expect(hanFormOf('画像の仕組み')).toBe('jp');
    expect(hanFormOf('렌더링 漢字')).toBe('kr');
    expect(hanFormOf('這個網站說什麼')).toBe('tc');
    expect(hanFormOf('这个网站说什么')).toBe('sc');
    expect(hanFormOf('直角')).toBe('sc');
    expect(hanFormOf('no Han')).toBeUndefined();
  });

  it('differ where the countries write them differently', async () => {
    const paint = async (han: 'jp' | 'kr' | 'tc' | 'sc') => {
      const node = sheet(text('直骨角過', { fontSize: 100 }));
      return pixelsOf(await painter.paint(node, canvas, 1, { han, direction: 'ltr' }));
    };
    const [jp, kr, tc, sc] = await Promise.all([paint('jp'), paint('kr'), paint('tc'), paint('sc')]);
    for (const [one, other] of [
      [jp, sc],
      [jp, tc],
      [tc, sc],
      [kr, sc],
    ] as const)
      expect(difference(one, other)).toBeGreaterThan(0.003);
  });
});

describe('lines break', () => {
  const linesOf = async (words: string) => {
    const box = inkBox(await set(words, { fontSize: 30 }));
    return Math.round(((box?.bottom ?? 0) - (box?.top ?? 0)) / 42 + 0.3);
  };

  it('in Thai between words, though it writes no blanks', async () => {
    expect(await linesOf('เราสร้างระบบเรนเดอร์ใหม่ทั้งหมดและทำให้เร็วขึ้นสี่เท่า')).toBeGreaterThanOrEqual(2);
  });

  it('in a word that is longer than the line', async () => {
    const box = inkBox(await set('Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'));
    expect(box?.right).toBeLessThan(canvas.width - 15);
    expect(await linesOf('Donaudampfschifffahrtselektrizitätenhauptbetriebswerk')).toBeGreaterThanOrEqual(2);
  });

  it('in Korean only between words', async () => {
    const words = '렌더링파이프라인을 처음부터다시 만들어서네배빠르게했습니다';
    const node = sheet(text(words, { width: 480, wordBreak: 'keep-all' }));
    const { children } = await painter.measure(node, { han: 'kr', direction: 'ltr' }, { width: 600, height: 200 });
    const rows = new Map<number, string>();
    for (const run of children[0]?.runs ?? []) rows.set(run.y, (rows.get(run.y) ?? '') + run.text);
    expect([...rows.values()].map((row) => row.trim()).filter(Boolean)).toEqual(words.split(' '));
  });
});

it('Vietnamese has room for two marks above a capital; tight English stays tight', () => {
  expect(leastLeading('CỔ ĐÔNG THƯỜNG NIÊN')).toBe(1.2);
  expect(leastLeading('Tight headlines, naïve café')).toBe(1);
});
