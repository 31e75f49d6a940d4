// @ts-check
// What the pages of the world are written in, and the packages that have it. The npm ones are whole TrueType files:
// the usual @fontsource slices are woff2, which Chromium does not accept as fonts of the system (tried: blank text).

/**
 * @typedef {object} FontNeed
 * @property {string} name
 * @property {string} [lang] As fontconfig calls the language; a font that covers it covers the need.
 * @property {string[]} [families] Or: one of these families.
 * @property {string[]} packages From npm, under @expo-google-fonts.
 */

/** @type {FontNeed[]} */
export const fontNeeds = [
  // Arimo, Tinos and Cousine are what Liberation is made from: a page laid out for Arial keeps its lines.
  {
    name: 'the measures of Arial, Times New Roman and Courier New',
    families: ['Liberation Sans', 'Arimo', 'Arial'],
    packages: ['arimo@0.4.3', 'tinos@0.4.2', 'cousine@0.4.3'],
  },
  { name: 'Latin', lang: 'vi', packages: ['noto-sans@0.4.2', 'noto-serif@0.4.2', 'noto-sans-mono@0.4.2'] },
  { name: 'Greek', lang: 'el', packages: ['noto-sans@0.4.2'] },
  { name: 'Cyrillic', lang: 'ru', packages: ['noto-sans@0.4.2'] },
  { name: 'Chinese, simplified', lang: 'zh-cn', packages: ['noto-sans-sc@0.4.3'] },
  { name: 'Chinese, traditional', lang: 'zh-tw', packages: ['noto-sans-tc@0.4.3'] },
  { name: 'Japanese', lang: 'ja', packages: ['noto-sans-jp@0.4.3'] },
  { name: 'Korean', lang: 'ko', packages: ['noto-sans-kr@0.4.3'] },
  { name: 'colour emoji', lang: 'und-zsye', packages: ['noto-color-emoji@0.4.6'] },
  {
    name: 'symbols',
    families: ['Noto Sans Symbols2', 'Noto Sans Symbols 2', 'DejaVu Sans', 'Symbola'],
    packages: ['noto-sans-math@0.4.2', 'noto-sans-symbols@0.4.1', 'noto-sans-symbols-2@0.4.1'],
  },
  { name: 'Arabic', lang: 'ar', packages: ['noto-sans-arabic@0.4.3'] },
  { name: 'Hebrew', lang: 'he', packages: ['noto-sans-hebrew@0.4.1'] },
  { name: 'Devanagari', lang: 'hi', packages: ['noto-sans-devanagari@0.4.1'] },
  { name: 'Bengali', lang: 'bn', packages: ['noto-sans-bengali@0.4.4'] },
  { name: 'Tamil', lang: 'ta', packages: ['noto-sans-tamil@0.4.3'] },
  { name: 'Telugu', lang: 'te', packages: ['noto-sans-telugu@0.4.2'] },
  { name: 'Thai', lang: 'th', packages: ['noto-sans-thai@0.4.2'] },
  { name: 'Georgian', lang: 'ka', packages: ['noto-sans-georgian@0.4.3'] },
  { name: 'Armenian', lang: 'hy', packages: ['noto-sans-armenian@0.4.2'] },
  { name: 'Ethiopic', lang: 'am', packages: ['noto-sans-ethiopic@0.4.2'] },
  { name: 'Khmer', lang: 'km', packages: ['noto-sans-khmer@0.4.3'] },
];
