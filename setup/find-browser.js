// @ts-check
// Finds the browser: the operator's choice, otherwise one of the system, otherwise the one that the set-up fetched from npm.
// The server calls this too, so that both use the same browser.
import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isExecutable, which } from './machine.js';

/**
 * @typedef {'headless-shell' | 'chromium' | 'chrome'} BrowserKind
 *
 * @typedef {object} FoundBrowser
 * @property {string} path The browser's binary itself, never a script that starts it.
 * @property {BrowserKind} kind
 * @property {Record<string, string>} env What it needs beside its binary: libraries, a fonts.conf.
 * @property {'BROWSER_PATH' | 'system' | 'npm'} source
 */

// The headless shell first: it captures 1.6 times as fast as the whole browser.
const commands = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

// Where packages put the binary itself, for a PATH that does not lead there (a service's, macOS).
const usualPlaces = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/headless_shell',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `npx playwright-core install chromium-headless-shell` puts one here; the newest first. */
function playwrightPlaces() {
  const cache = join(homedir(), '.cache', 'ms-playwright');
  const folders = existsSync(cache)
    ? readdirSync(cache).filter((name) => name.startsWith('chromium_headless_shell-'))
    : [];
  return folders
    .sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]))
    .flatMap((name) => readdirSync(join(cache, name)).map((inner) => join(cache, name, inner)))
    .flatMap((folder) => [join(folder, 'chrome-headless-shell'), join(folder, 'headless_shell')]);
}

/** Where the set-up puts a browser from npm. @param {string} projectDir */
export const npmBrowserDir = (projectDir) => join(projectDir, '.tintype', 'browser');

/** Our own fonts.conf, for fonts that the system does not have. @param {string} projectDir */
export const fontsConf = (projectDir) => join(projectDir, '.tintype', 'fonts', 'fonts.conf');

/**
 * @param {{ browserPath?: string | undefined, projectDir: string }} where
 * @returns {Promise<FoundBrowser | undefined>}
 */
export async function findBrowser({ browserPath, projectDir }) {
  /** @type {Record<string, string>} */
  const env = existsSync(fontsConf(projectDir)) ? { FONTCONFIG_FILE: fontsConf(projectDir) } : {};
  if (browserPath) {
    const path = binaryBehind(browserPath);
    return path === undefined ? undefined : { path, kind: kindOf(path), env, source: 'BROWSER_PATH' };
  }
  const path = systemBrowsers()[0];
  if (path) return { path, kind: kindOf(path), env, source: 'system' };
  const own = join(npmBrowserDir(projectDir), 'chromium');
  if (!isExecutable(own)) return undefined;
  // It is built for a bare Linux and brings NSS and expat in a folder beside it.
  const libraries = { LD_LIBRARY_PATH: join(npmBrowserDir(projectDir), 'lib') };
  return { path: own, kind: 'headless-shell', env: { ...env, ...libraries }, source: 'npm' };
}

/** Every browser of the system, the fastest kind first. */
function systemBrowsers() {
  const order = ['headless-shell', 'chromium', 'chrome'];
  const found = [...commands.map(which), ...usualPlaces, ...playwrightPlaces()].flatMap((path) => {
    const binary = path === undefined ? undefined : binaryBehind(path);
    return binary === undefined ? [] : [binary];
  });
  return found.sort((a, b) => order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)));
}

/** @param {string} path @returns {BrowserKind} */
function kindOf(path) {
  const name = basename(path).toLowerCase();
  if (/headless.shell/.test(name)) return 'headless-shell';
  return name.includes('chromium') ? 'chromium' : 'chrome';
}

/**
 * The program behind a command. Distributions start the browser from a shell script; Debian's does not even
 * exec, so killing it would leave the browser alive. What these scripts set is for a desktop.
 * @param {string} command
 * @returns {string | undefined}
 */
export function binaryBehind(command) {
  if (!isExecutable(command)) return undefined;
  const path = realpathSync(command);
  // A snap starts in a confinement where neither our profile folder nor the pipe is reachable.
  if (basename(path) === 'snap' || path.startsWith('/snap/')) return undefined;
  const head = headOf(path);
  if (!head.startsWith('#!')) return path;
  const name = basename(path);
  const candidates = [
    // chromium-headless-shell of Debian: `/usr/lib/chromium/chromium-headless-shell "$@"`
    /^\s*(?:exec\s+)?"?(\/[\w./-]*chrom[\w./-]*)"?\s/m.exec(head)?.[1],
    // google-chrome: `exec "$HERE/chrome" "$@"`
    join(dirname(path), 'chrome'),
    // chromium of Debian, Arch, Alpine, Fedora: `exec $LIBDIR/$APPNAME "$@"`
    ...['/usr/lib', '/usr/lib64'].map((folder) => join(folder, name.replace(/\.sh$/, ''), name.replace(/\.sh$/, ''))),
  ];
  // A script of the operator's own is run as it is: it may be there for a reason.
  return (
    candidates.find((file) => file && isExecutable(file) && !headOf(file).startsWith('#!')) ?? scriptOf(path, head)
  );
}

/** Ubuntu's `chromium-browser` only leads to a snap. @param {string} path @param {string} head */
const scriptOf = (path, head) => (/\/snap\/|snap install/.test(head) ? undefined : path);

/** @param {string} path */
function headOf(path) {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(8192);
    return head.toString('latin1', 0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}
