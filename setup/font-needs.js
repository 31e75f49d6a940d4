// @ts-check
// What the pages of the world are written in, and the packages that have it. The npm ones are whole TrueType files:
// the usual @fontsource slices are woff2, which Chromium does not accept as fonts of the system (tried: blank text).

/**
 * @typedef {object} FontNeed
 * @property {string} name
 * @property {string} [lang] As fontconfig calls the language; a font that covers it covers the need.
 * @property {string[]} [families] Or: one of these families.
 * @property {string[]} packages From npm, under @expo-google-fonts; see pinned.js.
 */

/** @type {FontNeed[]} */
export const fontNeeds = [
  // Arimo, Tinos and Cousine are what Liberation is made from: a page laid out for Arial keeps its lines.
  {
    name: 'the measures of Arial, Times New Roman and Courier New',
    families: ['Liberation Sans', 'Arimo', 'Arial'],
    packages: ['arimo', 'tinos', 'cousine'],
  },
  { name: 'Latin', lang: 'vi', packages: ['noto-sans', 'noto-serif', 'noto-sans-mono'] },
  { name: 'Greek', lang: 'el', packages: ['noto-sans'] },
  { name: 'Cyrillic', lang: 'ru', packages: ['noto-sans'] },
  { name: 'Chinese, simplified', lang: 'zh-cn', packages: ['noto-sans-sc'] },
  { name: 'Chinese, traditional', lang: 'zh-tw', packages: ['noto-sans-tc'] },
  { name: 'Japanese', lang: 'ja', packages: ['noto-sans-jp'] },
  { name: 'Korean', lang: 'ko', packages: ['noto-sans-kr'] },
  { name: 'colour emoji', lang: 'und-zsye', packages: ['noto-color-emoji'] },
  {
    name: 'symbols',
    families: ['Noto Sans Symbols2', 'Noto Sans Symbols 2', 'DejaVu Sans', 'Symbola'],
    packages: ['noto-sans-math', 'noto-sans-symbols', 'noto-sans-symbols-2'],
  },
  { name: 'Arabic', lang: 'ar', packages: ['noto-sans-arabic'] },
  { name: 'Hebrew', lang: 'he', packages: ['noto-sans-hebrew'] },
  { name: 'Devanagari', lang: 'hi', packages: ['noto-sans-devanagari'] },
  { name: 'Bengali', lang: 'bn', packages: ['noto-sans-bengali'] },
  { name: 'Tamil', lang: 'ta', packages: ['noto-sans-tamil'] },
  { name: 'Telugu', lang: 'te', packages: ['noto-sans-telugu'] },
  { name: 'Thai', lang: 'th', packages: ['noto-sans-thai'] },
  { name: 'Georgian', lang: 'ka', packages: ['noto-sans-georgian'] },
  { name: 'Armenian', lang: 'hy', packages: ['noto-sans-armenian'] },
  { name: 'Ethiopic', lang: 'am', packages: ['noto-sans-ethiopic'] },
  { name: 'Khmer', lang: 'km', packages: ['noto-sans-khmer'] },
];
