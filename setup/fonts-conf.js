// @ts-check
// The fonts.conf that makes the fonts from npm behave like those of a well-kept system.
import { dirname } from 'node:path';
import { fontsConf } from './find-browser.js';

// A page that asks for a font it has seen on another machine gets one of the same measures; one that asks for
// none gets what Chromium gives on Debian.
const replacements = [
  ['Arial', 'Arimo'],
  ['Helvetica', 'Arimo'],
  ['sans-serif', 'Arimo'],
  ['Times New Roman', 'Tinos'],
  ['Times', 'Tinos'],
  ['serif', 'Tinos'],
  ['Courier New', 'Cousine'],
  ['Courier', 'Cousine'],
  ['monospace', 'Cousine'],
  ['system-ui', 'Noto Sans'],
  ['emoji', 'Noto Color Emoji'],
];

// The same character is drawn differently in each; the font for simplified Chinese covers all but Korean.
const ofLanguage = [
  ['zh-cn', 'Noto Sans SC'],
  ['zh-tw', 'Noto Sans TC'],
  ['zh-hk', 'Noto Sans TC'],
  ['ja', 'Noto Sans JP'],
  ['ko', 'Noto Sans KR'],
];

/** @param {string} projectDir */
export function confOf(projectDir) {
  const folder = dirname(fontsConf(projectDir)).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<!-- Made by Tintype's set-up: the system's fonts, and the ones fetched from npm. -->
<fontconfig>
  <!-- First, or the cache would go into the home of the browser, which is new at every start. -->
  <cachedir>${folder}/cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/files</dir>
${replacements.map(([family, font]) => replacement(family, font)).join('\n')}
${ofLanguage.map(([lang, font]) => preference(lang, font)).join('\n')}
${noArabicOfMath}
</fontconfig>
`;
}

/**
 * binding="same": Chromium takes a replacement for the family it asked for only if the binding is as strong.
 * @param {string | undefined} family @param {string | undefined} font
 */
const replacement = (family, font) =>
  `  <alias binding="same"><family>${family}</family><accept><family>${font}</family></accept></alias>`;

/** @param {string | undefined} lang @param {string | undefined} font */
const preference = (lang, font) => `  <match target="pattern">
    <test name="lang" compare="contains"><string>${lang}</string></test>
    <edit name="family" mode="append"><string>${font}</string></edit>
  </match>`;

// Noto Sans Math has the Arabic letters as symbols: a word that is drawn with them falls apart into single letters.
const noArabicOfMath = `  <match target="scan">
    <test name="family"><string>Noto Sans Math</string></test>
    <edit name="charset" mode="assign"><minus>
      <name>charset</name><charset><range><int>0x600</int><int>0x6ff</int></range></charset>
    </minus></edit>
  </match>`;
