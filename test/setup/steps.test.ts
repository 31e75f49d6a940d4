import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as browser from '../../setup/browser.js';
import * as dependencies from '../../setup/dependencies.js';
import { fontNeeds } from '../../setup/font-needs.js';
import * as fonts from '../../setup/fonts.js';
import { confOf } from '../../setup/fonts-conf.js';
import { take } from '../../setup/lock.js';
import { pinned } from '../../setup/pinned.js';
import * as web from '../../setup/web.js';
import { hasLinux } from '../harness/needs.ts';

let projectDir: string;
const context = () => ({ projectDir, say: () => {} });
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), 'tintype-steps-'));
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

function write(name: string, content: unknown, time?: number): void {
  const path = join(projectDir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  if (time !== undefined) utimesSync(path, time, time);
}

describe('the packages', () => {
  const lock = (packages: object) => write('package-lock.json', { packages: { '': {}, ...packages } });
  const installed = (packages: object) => write('node_modules/.package-lock.json', { packages });

  it('are missing on a bare clone', () => {
    lock({ 'node_modules/a': { version: '1.0.0' } });
    expect(dependencies.check(context())).toBe(false);
  });

  it('are there when every version is the one of the lock file', () => {
    lock({ 'node_modules/a': { version: '1.0.0' } });
    installed({ 'node_modules/a': { version: '1.0.0' } });
    expect(dependencies.check(context())).toBe(true);
  });

  it('are missing when a pull has brought another version or another package', () => {
    installed({ 'node_modules/a': { version: '1.0.0' } });
    lock({ 'node_modules/a': { version: '1.0.1' } });
    expect(dependencies.check(context())).toBe(false);
    lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } });
    expect(dependencies.check(context())).toBe(false);
  });

  it('need not have what is for another machine, but what is for this one', () => {
    installed({});
    const build = { version: '1.0.0', optional: true, cpu: [process.arch] };
    lock({ 'node_modules/a': { ...build, os: ['sunos'] } });
    expect(dependencies.check(context())).toBe(true);
    lock({ 'node_modules/a': { ...build, os: [process.platform] } });
    expect(dependencies.check(context())).toBe(false);
  });

  it('each have a hash in the lock file, whatever platform they are for', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const without = Object.entries(packages as Record<string, { integrity?: string }>)
      .filter(([path, { integrity }]) => path !== '' && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path);
    expect(without).toEqual([]);
  });

  // `npm ci` refuses a lock file without them.
  it('are listed in the lock file for every platform that one of them has a build for', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const missing = Object.values(packages as Record<string, { optionalDependencies?: Record<string, string> }>)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));
    expect(missing).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('is built when it never was, and when a source is newer', () => {
    write('web/vite.config.ts', '', 1000);
    write('web/src/pages/home.tsx', '', 1000);
    write('src/samples/samples.ts', '', 1000);
    expect(web.check(context())).toBe(false);
    write('web/dist/index.html', '', 2000);
    expect(web.check(context())).toBe(true);
    write('web/src/pages/home.tsx', '', 3000);
    expect(web.check(context())).toBe(false);
    write('web/dist/index.html', '', 4000);
    write('src/samples/samples.ts', '', 5000);
    expect(web.check(context())).toBe(false);
  });

  it('is no concern where there is none', () => {
    expect(web.check(context())).toBe(true);
  });
});

describe('the browser', () => {
  it('that BROWSER_PATH names and that is none stops the set-up with a sentence about BROWSER_PATH', async () => {
    const before = process.env.BROWSER_PATH;
    process.env.BROWSER_PATH = join(projectDir, 'none');
    try {
      expect(await browser.check(context())).toBe(false);
      await expect(browser.install(context())).rejects.toThrow(/^BROWSER_PATH is .*none, which is no browser/);
    } finally {
      if (before === undefined) delete process.env.BROWSER_PATH;
      else process.env.BROWSER_PATH = before;
    }
  });
});

describe.runIf(hasLinux())('the fonts', () => {
  it('from npm stand in for those of the system, need by need', () => {
    for (const need of fontNeeds)
      for (const font of need.packages)
        mkdirSync(join(projectDir, '.tintype/fonts/files', font.split('@')[0] ?? ''), { recursive: true });
    expect(fonts.missingFonts(projectDir)).toEqual([]);
  });

  it('need a fonts.conf that names this very folder, so that a project that was moved gets a new one', () => {
    for (const font of fontNeeds.flatMap((need) => need.packages))
      mkdirSync(join(projectDir, '.tintype/fonts/files', font.split('@')[0] ?? ''), { recursive: true });
    expect(fonts.check(context())).toBe(false);
    write('.tintype/fonts/fonts.conf', confOf('/somewhere/else'));
    expect(fonts.check(context())).toBe(false);
    write('.tintype/fonts/fonts.conf', confOf(projectDir));
    expect(fonts.check(context())).toBe(true);
  });
});

describe('the lock', () => {
  const lock = () => join(projectDir, 'setup.lock');

  it('is held by a process that lives', () => {
    expect(take(lock())).toBe(undefined);
    expect(take(lock())).toBe(String(process.pid));
  });

  it('of a process that is gone, or whose number was given out again, is nobody’s', () => {
    write('setup.lock', '999999999 1');
    expect(take(lock())).toBe(undefined);
    rmSync(lock());
    write('setup.lock', `${process.pid} 1`);
    expect(take(lock())).toBe(undefined);
  });
});

describe('what is fetched from npm beside the packages', () => {
  it('has a version and a checksum each', () => {
    for (const [name, { version, integrity }] of Object.entries(pinned)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(integrity, name).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    }
    const wanted = fontNeeds.flatMap(({ packages }) => packages.map((font) => `@expo-google-fonts/${font}`));
    for (const name of [...wanted, '@sparticuz/chromium', '@adguard/dnr-rulesets'])
      expect(pinned).toHaveProperty([name]);
  });

  it('is fetched in no other way', () => {
    for (const file of readdirSync('setup').filter((name) => !['pinned.js', 'dependencies.js'].includes(name)))
      expect(readFileSync(join('setup', file), 'utf8'), file).not.toMatch(
        /npm['", ]+(?:install|pack|exec|ci)\b(?! --with-deps)/,
      );
  });
});
