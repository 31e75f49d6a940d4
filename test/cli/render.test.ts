// tintype shot and og: pictures without a server and without a key.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { colourPage, type Site, startSite } from '../harness/site.ts';

// Each command starts a browser and the fonts of its own.
vi.setConfig({ testTimeout: 120_000 });

const bin = join(import.meta.dirname, '../../bin/tintype');
let site: Site;
let folder: string;
beforeAll(async () => {
  site = await startSite({ '/': colourPage('#336699'), '/gone': { status: 410, body: '<h1>Gone</h1>' } });
  folder = await mkdtemp(join(tmpdir(), 'tintype-render-'));
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  new Promise<{ code: number | null; stdout: Buffer; stderr: string }>((resolve) => {
    // vite puts a BASE_URL of its own into the environment of tests.
    const env = { ...process.env, BASE_URL: '', DATA_DIR: join(folder, 'data'), ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };
    const child = execFile(bin, args, { env, encoding: 'buffer' }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr: stderr.toString() }),
    );
  });

it('a file that the disk has no room for is named, and no half of it remains; a device is never removed', async () => {
  const file = join(folder, 'half.png');
  // At most 512 or 1024 bytes, by the shell: less than any card has.
  const limited = `ulimit -f 1; exec "${bin}" og quote --title Half -o "${file}"`;
  const env = { ...process.env, BASE_URL: '' };
  const stderr = await new Promise((resolve) =>
    execFile('sh', ['-c', limited], { env }, (_, __, text) => resolve(text)),
  );
  expect(stderr).toContain(`${file} cannot be written: `);
  expect(existsSync(file)).toBe(false);
  const full = await run('og', 'quote', '--title', 'Full', '-o', '/dev/full');
  expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('/dev/full cannot be written: ENOSPC')]);
  expect(existsSync('/dev/full')).toBe(true);
});

it('shot writes the page to the file, in the format of its extension, and creates the folder', async () => {
  const file = join(folder, 'new', 'page.webp');
  const { code, stdout, stderr } = await run(
    'shot',
    `${site.url}/`,
    '-o',
    file,
    '--width',
    '300',
    '--height=200',
    '--fullPage',
  );
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('image/webp'),
  });
  const image = sharp(file);
  expect(await image.metadata()).toMatchObject({ format: 'webp', width: 300, height: 200 });
  const { channels } = await image.stats();
  for (const [i, expected] of [0x33, 0x66, 0x99].entries())
    expect(Math.abs((channels[i]?.mean ?? 0) - expected)).toBeLessThan(4);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

it('shot writes to standard output, and nothing else with it', async () => {
  const { code, stdout } = await run('shot', `${site.url}/`, '-o', '-', '--format', 'pdf');
  expect(code).toBe(0);
  expect(stdout.subarray(0, 5).toString()).toBe('%PDF-');
});

it('shot makes the picture smaller, in the format of the file', async () => {
  const file = join(folder, 'small.avif');
  const size = ['--width', '400', '--height', '200', '--resizeWidth', '100', '--resizeHeight=100', '--fit', 'cover'];
  expect(await run('shot', `${site.url}/`, '-o', file, ...size)).toMatchObject({ code: 0 });
  expect(await sharp(file).metadata()).toMatchObject({ format: 'heif', width: 100, height: 100 });
});

it('shot prints the verdict, and with failOn writes no file', async () => {
  const file = join(folder, 'gone.png');
  const { code, stderr } = await run('shot', `${site.url}/gone`, '-o', file);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Warning: The verdict is http_error.\n')]);
  await rm(file);
  const rejected = await run('shot', `${site.url}/gone`, '-o', file, '--failOn', 'blank,http_error');
  expect([rejected.code, rejected.stderr]).toEqual([1, 'The capture was rejected: failOn names http_error.\n']);
  expect(existsSync(file)).toBe(false);
});

it('og makes a card with the variables it is given', async () => {
  const file = join(folder, 'card.png');
  expect(await run('og', 'default', '-o', file, '--title', 'Hello', '--width', '600', '--height', '315')).toMatchObject(
    { code: 0 },
  );
  expect(await sharp(await readFile(file)).metadata()).toMatchObject({ format: 'png', width: 600, height: 315 });
});

it('an error is one line and exit code 1, and leaves no file', async () => {
  const file = join(folder, 'none.png');
  const { code, stderr } = await run('shot', 'http://10.0.0.1/', '-o', file);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^url leads to 10\.0\.0\.1.*\n$/)]);
  expect(existsSync(file)).toBe(false);
});
