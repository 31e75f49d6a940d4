// @ts-check
// A browser: an installed one, Debian's, npm's, or an error with the command that installs one.
import { findBrowser } from './find-browser.js';
import { aptInstall, hasApt, isRoot, linuxFamily, SetupFailure } from './machine.js';
import { fetchBrowser, npmHasBrowser } from './npm-browser.js';

export const name = 'browser';

const browserPath = () => process.env.BROWSER_PATH || undefined;

/** @param {import('./machine.js').Context} context */
export async function check({ projectDir }) {
  return (await findBrowser({ browserPath: browserPath(), projectDir })) !== undefined;
}

/** @param {import('./machine.js').Context} context */
export async function install(context) {
  if (browserPath())
    throw new SetupFailure(
      `BROWSER_PATH is ${browserPath()}, which is no browser that can be started. Point it to one, or leave it out.`,
    );
  if (isRoot && hasApt() && (await fromDebian(context))) return;
  if (npmHasBrowser()) return fetchBrowser(context);
  throw new SetupFailure(
    `No browser was found, ${isRoot ? 'this system has no package of one that I know' : 'only root may install one'}, and npm has ` +
      `none for ${process.platform} ${process.arch}.`,
    howToGetBrowser(),
  );
}

/** @param {import('./machine.js').Context} context */
async function fromDebian(context) {
  // Ubuntu has neither package: what it calls chromium-browser is a snap.
  for (const candidate of ['chromium-headless-shell', 'chromium']) {
    context.say(`Installing a browser: apt-get install ${candidate} …`);
    try {
      await aptInstall([candidate]);
    } catch {
      context.say(`  ${candidate} is not available here.`);
      continue;
    }
    if (await check(context)) return true;
  }
  return false;
}

/** The exact command for this machine. */
export function howToGetBrowser() {
  const family = linuxFamily();
  const sudo = isRoot ? '' : 'sudo ';
  if (process.platform === 'darwin') return 'brew install --cask google-chrome';
  // Ubuntu's own is a snap, which cannot be used; this one lands where find-browser.js looks.
  if (/ubuntu/.test(family)) return 'npx playwright-core install --with-deps chromium-headless-shell';
  if (/debian/.test(family)) return `${sudo}apt-get install -y chromium-headless-shell`;
  if (/fedora|rhel/.test(family)) return `${sudo}dnf install -y chromium-headless`;
  if (/alpine/.test(family)) return `${sudo}apk add chromium`;
  if (/arch/.test(family)) return `${sudo}pacman -S --noconfirm chromium`;
  if (/suse/.test(family)) return `${sudo}zypper install -y chromium`;
  return 'install Chromium or Google Chrome, and set BROWSER_PATH to it';
}
