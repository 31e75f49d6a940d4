// tintype batch that is killed, interrupted, on a terminal, without a reader, with a long file, and on a server.
import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startService } from '../harness/service.ts';
import { colourPage } from '../harness/site.ts';
import { type BatchHarness, bin, openBatchHarness, outputOf } from './batch-harness.ts';

// Each run starts a browser of its own.
vi.setConfig({ testTimeout: 120_000 });

let harness: BatchHarness;
beforeAll(async () => {
  harness = await openBatchHarness();
});
afterAll(() => harness?.close());

const neverAnswers = () => {};

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

describe('a run that ends early', () => {
  const list = () => ['/1', '/2', '/3', '/slow'].map((path) => harness.site.url + path).join('\n');

  it('goes on where it was after kill -9, and no other run may use the folder meanwhile', async () => {
    harness.site.set('/slow', neverAnswers);
    await writeFile(harness.at('slow.txt'), list());
    const { child, ended } = harness.start(['slow.txt', '-o', 'killed', '--width', '300', '--at-once', '2']);
    await until(async () => harness.site.hits('/slow') > 0 && (await harness.rows('killed')).length === 3);
    expect(await harness.run(['slow.txt', '-o', 'killed'])).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/^Process \d+ writes into killed\. Wait until it ends\./),
    });
    child.kill('SIGKILL');
    await ended;
    harness.site.set('/slow', colourPage('#0000ff'));
    expect(await harness.run(['slow.txt', '-o', 'killed', '--width', '300'])).toMatchObject({
      code: 0,
      notes: '1 done, 3 done before, 0 failed. Results: killed/results.jsonl\n',
    });
    expect(['/1', '/2', '/3'].map((path) => harness.site.hits(path))).toEqual([1, 1, 1]);
    for (const { file } of await harness.rows('killed')) await sharp(harness.at(`killed/${file}`)).stats();
    expect((await readdir(harness.at('killed'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('shows a bar on a terminal, and after Ctrl+C says how to go on', async () => {
    harness.site.set('/slow', neverAnswers);
    const before = harness.site.hits('/slow');
    await writeFile(harness.at('slow.txt'), `${list()}\nnonsense\n`);
    // exec: not every shell passes on the exit code of a command that handled Ctrl+C.
    const command = `stty cols 50; exec ${bin} batch slow.txt -o stopped --width 300 --at-once 2`;
    const env = { ...harness.env, NO_COLOR: '1' };
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: harness.folder, env });
    const ended = outputOf(child);
    await until(async () => harness.site.hits('/slow') > before && (await harness.rows('stopped')).length === 4);
    child.stdin.write('\x03');
    const { code, out: written } = await ended;
    expect(code).toBe(1);
    // Lines are erased with an escape sequence, and there is no other.
    const out = written.replaceAll('\x1b[2K', '');
    expect(out).toMatch(/\r\[-{10,}\] {2}0\/5 {2}0 failed/);
    expect(out).toMatch(/line 5 failed: invalid_parameter: url must be/);
    expect(out).toMatch(/\r(\[#+-+\] {2})?4\/5 {2}1 failed/);
    expect(out).toContain('Stopped: 3 done, 1 failed, 1 left. Results: stopped/results.jsonl');
    expect(out).toContain('Run the same command again to go on; it skips what is done.');
    expect(out).not.toContain('\x1b');
    const drawn = out.split(/[\r\n]/).filter((line) => /\d\/5 /.test(line));
    for (const line of drawn) expect(line.replace('^C', '').length).toBeLessThan(50);
    expect((await harness.rows('stopped')).map(({ line }) => line)).toEqual([1, 2, 3, 5]);
  });
});

it('--server renders on a running server, and --server without a key writes nothing', async () => {
  const service = await startService();
  try {
    const { key } = await service.customer('business');
    const stdin = `${harness.site.url}/\n{"kind": "content", "url": "${harness.site.url}/text"}\n{"template": "none"}\n`;
    const place = ['--server', service.url, '--key', key];
    const { code, notes } = await harness.run(['-', '-o', 'served', '--width', '300', ...place], { stdin });
    expect({ code, notes }).toMatchObject({ code: 1, notes: expect.stringMatching(/^2 done, 1 failed\./) });
    expect(await harness.rows('served')).toMatchObject([
      { status: 'done', file: expect.stringMatching(/\.png$/), httpStatus: 200, verdict: { ok: true } },
      { status: 'done', file: expect.stringMatching(/\.md$/) },
      { status: 'failed', error: { code: 'template_not_found' } },
    ]);
    expect(await harness.run(['-', '-o', 'none', '--server', service.url])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('--server needs a key'),
    });
    expect(await readdir(harness.folder)).not.toContain('none');
  } finally {
    await service.stop();
  }
});

it('ends without a stack trace when nobody reads its output any more', async () => {
  const { child, ended } = harness.start(['-', '-o', 'unread'], { stdin: 'nonsense\n'.repeat(5000) });
  child.stdout.once('data', () => child.stdout.destroy());
  const { code, notes } = await ended;
  expect({ code, notes }).toEqual({ code: 1, notes: '' });
});

it('a long file and a line without an end take little memory', async () => {
  const long = `x\n`.repeat(20_000) + 'y'.repeat(60e6);
  const { code, notes } = await harness.run(['-', '-o', 'long'], {
    stdin: long,
    env: { NODE_OPTIONS: '--max-old-space-size=60' },
  });
  expect({ code, notes }).toMatchObject({ code: 1, notes: expect.stringContaining('0 done, 20001 failed') });
});
