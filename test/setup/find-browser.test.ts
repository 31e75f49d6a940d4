import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { binaryBehind, findBrowser } from '../../setup/find-browser.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tintype-find-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program: the bytes of an ELF file's head are enough, nothing here is started. */
function program(path: string): string {
  return executable(path, '\x7fELF');
}
function executable(path: string, content: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
}

describe('the program behind a command', () => {
  it('is the command itself where it is a program', () => {
    const path = program(join(folder, 'chromium'));
    expect(binaryBehind(path)).toBe(path);
  });

  it('is found through links', () => {
    const path = program(join(folder, 'lib/chrome'));
    symlinkSync(path, join(folder, 'browser'));
    expect(binaryBehind(join(folder, 'browser'))).toBe(path);
  });

  it("is the binary that Debian's script for the headless shell names", () => {
    const path = program(join(folder, 'lib/chromium-headless-shell'));
    const script = executable(join(folder, 'bin/chromium-headless-shell'), `#!/bin/sh -e\n\n${path} "$@"\n`);
    expect(binaryBehind(script)).toBe(path);
  });

  it("is the chrome beside Google's script", () => {
    const path = program(join(folder, 'opt/chrome'));
    const script = executable(join(folder, 'opt/google-chrome'), '#!/bin/bash\nexec -a "$0" "$HERE/chrome" "$@"\n');
    symlinkSync(script, join(folder, 'google-chrome'));
    expect(binaryBehind(join(folder, 'google-chrome'))).toBe(path);
  });

  it("is a script of the operator's own, where no program is behind it", () => {
    const script = executable(join(folder, 'my-browser'), '#!/bin/sh\nexec /elsewhere/browser "$@"\n');
    expect(binaryBehind(script)).toBe(script);
  });

  it('is nothing where the command leads to a snap, is a folder or cannot be executed', () => {
    expect(
      binaryBehind(executable(join(folder, 'chromium-browser'), '#!/bin/sh\nexec /snap/bin/chromium "$@"\n')),
    ).toBe(undefined);
    expect(binaryBehind(folder)).toBe(undefined);
    writeFileSync(join(folder, 'plain'), '');
    expect(binaryBehind(join(folder, 'plain'))).toBe(undefined);
    expect(binaryBehind(join(folder, 'missing'))).toBe(undefined);
  });
});

describe('finding the browser', () => {
  it('takes BROWSER_PATH before all others, and tells its kind by its name', async () => {
    for (const [name, kind] of [
      ['chrome-headless-shell', 'headless-shell'],
      ['headless_shell', 'headless-shell'],
      ['chromium', 'chromium'],
      ['chrome', 'chrome'],
    ] as const) {
      const browserPath = program(join(folder, name));
      expect(await findBrowser({ browserPath, projectDir: folder })).toMatchObject({
        path: browserPath,
        kind,
        source: 'BROWSER_PATH',
      });
    }
  });

  it('finds nothing else where BROWSER_PATH is wrong: a wrong setting is said, not worked around', async () => {
    expect(await findBrowser({ browserPath: join(folder, 'nothing'), projectDir: folder })).toBe(undefined);
  });

  it('gives fonts of our own to whatever browser there is', async () => {
    const browserPath = program(join(folder, 'chromium'));
    expect((await findBrowser({ browserPath, projectDir: folder }))?.env).toEqual({});
    mkdirSync(join(folder, '.tintype/fonts'), { recursive: true });
    writeFileSync(join(folder, '.tintype/fonts/fonts.conf'), '');
    expect((await findBrowser({ browserPath, projectDir: folder }))?.env).toEqual({
      FONTCONFIG_FILE: join(folder, '.tintype/fonts/fonts.conf'),
    });
  });
});
