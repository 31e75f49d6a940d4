// @ts-check
// Fonts for the pages that are captured: those of the system, Debian's packages as root, else files from npm in a
// folder of the project with a fonts.conf of our own. Without them a page in Chinese is a page of empty boxes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fontsConf } from './find-browser.js';
import { fontNeeds } from './font-needs.js';
import { confOf } from './fonts-conf.js';
import { aptInstall, hasApt, isRoot, which } from './machine.js';
import { fetchPinned } from './pinned.js';

export const name = 'fonts';

// fontconfig brings fc-list, which lists the fonts of the system.
export const debianFonts = [
  'fonts-noto-core',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
  'fonts-liberation',
  'fontconfig',
];

/** @param {import('./machine.js').Context} context */
export function check({ projectDir }) {
  if (process.platform !== 'linux') return true; // macOS brings them all.
  return missingFonts(projectDir).length === 0 && confIsRight(projectDir);
}

/** What no font of the system or of ours covers. @param {string} projectDir */
export function missingFonts(projectDir) {
  if (process.platform !== 'linux') return [];
  const system = systemFonts();
  return fontNeeds.filter(
    ({ lang, families, packages }) =>
      !packages.every((font) => existsSync(folderOf(projectDir, font))) &&
      !system.some(
        (font) =>
          (lang !== undefined && font.langs.includes(lang)) ||
          families?.some((family) => font.families.includes(family)),
      ),
  );
}

/** @param {import('./machine.js').Context} context */
export async function install({ projectDir, say }) {
  const missing = missingFonts(projectDir);
  if (missing.length > 0 && isRoot && hasApt()) {
    say(`Installing fonts: apt-get install ${debianFonts.join(' ')} …`);
    try {
      await aptInstall(debianFonts);
    } catch {
      say('  Debian’s fonts are not available; taking those from npm.');
    }
  }
  const wanted = [...new Set(missingFonts(projectDir).flatMap(({ packages }) => packages))];
  if (wanted.length > 0) {
    say(`Fetching fonts from npm for ${list(missingFonts(projectDir).map((need) => need.name))} …`);
    await fetchFonts(projectDir, wanted);
  }
  if (!confIsRight(projectDir)) {
    say('Writing the fonts.conf for the browser …');
    await writeFile(fontsConf(projectDir), confOf(projectDir));
  }
}

/** @param {string} projectDir @param {string[]} fonts */
async function fetchFonts(projectDir, fonts) {
  const download = join(dirname(fontsConf(projectDir)), 'download');
  await rm(download, { recursive: true, force: true });
  await mkdir(download, { recursive: true });
  for (const font of fonts) {
    const from = join(download, 'package');
    await fetchPinned(download, `@expo-google-fonts/${font}`);
    const to = join(download, font);
    await mkdir(to);
    await cp(join(from, 'LICENSE_FONT'), join(to, 'LICENSE_FONT'), { force: true }).catch(() => {});
    // Regular and bold, upright and italic: what a page asks for by default. The other weights are 3/4 of the bytes.
    for (const style of await readdir(from)) {
      if (!/^(400Regular|700Bold)(_Italic)?$/.test(style)) continue;
      for (const file of await readdir(join(from, style)))
        if (file.endsWith('.ttf')) await rename(join(from, style, file), join(to, file));
    }
    // Whole or not at all: `check` asks for the folder.
    await mkdir(filesDir(projectDir), { recursive: true });
    await rm(folderOf(projectDir, font), { recursive: true, force: true });
    await rename(to, folderOf(projectDir, font));
  }
  await rm(download, { recursive: true, force: true });
}

/** @param {string} projectDir */
const filesDir = (projectDir) => join(dirname(fontsConf(projectDir)), 'files');
/** @param {string} projectDir @param {string} font */
const folderOf = (projectDir, font) => join(filesDir(projectDir), font);

/** @param {string[]} words */
const list = (words) =>
  words.length > 5 ? `${words.slice(0, 4).join(', ')} and ${words.length - 4} more` : words.join(', ');

/** The fonts of the system, by fc-list; none where that is missing. */
function systemFonts() {
  if (which('fc-list') === undefined) return [];
  try {
    const lines = execFileSync('fc-list', ['-f', '%{family}\t%{lang}\n'], { encoding: 'utf8', stdio: 'pipe' });
    return lines.split('\n').map((line) => {
      const [families = '', langs = ''] = line.split('\t');
      return { families: families.split(','), langs: langs.split('|') };
    });
  } catch {
    return [];
  }
}

/** It holds absolute paths: a project that was moved gets a new one. @param {string} projectDir */
function confIsRight(projectDir) {
  if (!existsSync(filesDir(projectDir))) return true;
  return existsSync(fontsConf(projectDir)) && readFileSync(fontsConf(projectDir), 'utf8') === confOf(projectDir);
}
