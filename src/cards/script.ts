// Properties of a text by its script: its direction, its line height, and the form of its Han characters.

const rtl = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const strong = new RegExp(`[${rtl}]|\\p{L}`, 'u');
const strongRtl = new RegExp(`[${rtl}]`, 'u');

/** The direction of a text's first strong character, as `dir="auto"` decides it. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const first = strong.exec(text)?.[0];
  return first !== undefined && strongRtl.test(first) ? 'rtl' : 'ltr';
}

const joinedScript = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}]/u;
const tallScript =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const squareScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Letter spacing breaks joined letters apart, and makes square ones collide if it is negative. */
export const keepsTracking = (text: string): boolean =>
  !joinedScript.test(text) && !squareScript.test(text) && !tallScript.test(text);

/** Only Latin, Cyrillic and Greek have italics. */
export const hasItalics = (text: string): boolean =>
  !/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\P{L}]/u.test(text);

/** Letters with two marks, one above the other on capitals. */
const vietnamese = /[\u1ea0-\u1ef9]/u;

/** The smallest line height at which marks above and below the letters do not touch the next line. */
export const leastLeading = (text: string): number =>
  tallScript.test(text) ? 1.4 : squareScript.test(text) ? 1.25 : vietnamese.test(text) ? 1.2 : 1;

const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });

/**
 * Thai, Lao, Khmer and Burmese have no spaces between words. ICU has the dictionaries to find the words, the engine has
 * not: zero-width spaces show the engine where a word ends.
 */
export const markWords = (text: string): string =>
  unspaced.test(text) ? [...words.segment(text)].map(({ segment }) => segment).join('\u200b') : text;

/** Korean breaks its lines between words, not between syllables as Chinese and Japanese do. */
export const keepsWords = (text: string): boolean => /\p{Script=Hangul}/u.test(text);

const elsewhere =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** Do the lines of this text break at blanks only? Other scripts, and emoji, allow breaks elsewhere. */
export const breaksAtBlanks = (text: string): boolean => !elsewhere.test(text) && directionOf(text) === 'ltr';

export type HanForm = 'jp' | 'kr' | 'tc' | 'sc';

// Frequent characters that differ between traditional and simplified Chinese, in pairs.
const traditional =
  '們個來這時國會對說點為過還發後學經無電體開關問題請讓將應該從與當車東長門見馬魚鳥風飛龍華語書買賣讀寫聽愛樂歡謝氣動現實業產務員機場區縣廣億萬網際線結構設計資訊軟體環節點選單檔';
const simplified =
  '们个来这时国会对说点为过还发后学经无电体开关问题请让将应该从与当车东长门见马鱼鸟风飞龙华语书买卖读写听爱乐欢谢气动现实业产务员机场区县广亿万网际线结构设计资讯软体环节点选单档';
const onlyTraditional = new Set([...traditional].filter((char) => !simplified.includes(char)));
const onlySimplified = new Set([...simplified].filter((char) => !traditional.includes(char)));

/** Kana mean Japanese, hangul Korean; otherwise the characters decide between traditional and simplified Chinese. */
export function hanFormOf(text: string): HanForm | undefined {
  if (!squareScript.test(text)) return undefined;
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(text, /\p{Script=Hangul}/gu);
  if (kana > 0 && kana >= hangul) return 'jp';
  if (hangul > 0) return 'kr';
  let lean = 0;
  for (const char of text) lean += onlyTraditional.has(char) ? 1 : onlySimplified.has(char) ? -1 : 0;
  return lean > 0 ? 'tc' : 'sc';
}

export const hanLanguage: Readonly<Record<HanForm, string>> = { jp: 'ja', kr: 'ko', tc: 'zh-Hant', sc: 'zh-Hans' };

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
