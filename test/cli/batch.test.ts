// tintype batch: a file and a row for each line, and what is wrong with the others.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { loadConfig } from '../../src/config.ts';
import { type BatchHarness, openBatchHarness } from './batch-harness.ts';

// Each run starts a browser of its own.
vi.setConfig({ testTimeout: 120_000 });

let harness: BatchHarness;
beforeAll(async () => {
  harness = await openBatchHarness();
});
afterAll(() => harness?.close());

describe('a run in a pipe', () => {
  const lines = () =>
    [
      '# pages',
      `${harness.site.url}/`,
      '',
      `  ${harness.site.url}/gone\r`,
      `{"url": "${harness.site.url}/", "format": "pdf", "width": null}`,
      '{"template": "quote", "title": "Simple is not easy"}',
      `{"kind": "content", "url": "${harness.site.url}/text"}`,
      '{"html": "<body style=background:#f00><h1>Red</h1>", "width": 120}',
      `${harness.site.url}/`,
      'nonsense',
      `{"url": "${harness.site.url}/", "fulPage": true}`,
      `{"url": "${harness.site.url}/", "width": "800"}`,
      '{"url": ',
      '{"kind": "video"}',
      'http://10.0.0.1/',
      `{"html": "${'x'.repeat(4_000_001)}"}`,
    ].join('\n');

  it('writes a file and a row for each line, and says what is wrong with a line by its number', async () => {
    await writeFile(harness.at('lines.txt'), lines());
    const { code, out, notes } = await harness.run([
      'lines.txt',
      '-o',
      'all',
      '--width',
      '300',
      '--height=200',
      '--at-once',
      '2',
    ]);
    expect({ code, notes }).toEqual({
      code: 1,
      notes:
        '7 done (1 with a verdict other than ok), 7 failed. Results: all/results.jsonl\nRun the same command again to retry what failed.\n',
    });
    const found = await harness.rows('all');
    const done = found.filter(({ status }) => status === 'done');
    expect(done.map(({ line, file }) => [line, file.replace(/[0-9a-f]{12}/, '…')])).toEqual([
      [2, `127.0.0.1-${harness.site.port}-….png`],
      [4, `127.0.0.1-${harness.site.port}-gone-….png`],
      [5, `127.0.0.1-${harness.site.port}-….pdf`],
      [6, 'quote-simple-is-not-easy-….png'],
      [7, `127.0.0.1-${harness.site.port}-text-….md`],
      [8, 'html-….png'],
      [9, `127.0.0.1-${harness.site.port}-…-2.png`],
    ]);
    expect(done[1]).toMatchObject({
      url: `${harness.site.url}/gone`,
      type: 'image/png',
      httpStatus: 410,
      verdict: { ok: false, codes: ['http_error'] },
      ms: expect.any(Number),
    });
    const content = (line: number) => readFile(harness.at(`all/${done.find((row) => row.line === line)?.file}`));
    expect(await sharp(await content(2)).metadata()).toMatchObject({ format: 'png', width: 300, height: 200 });
    expect(await sharp(await content(8)).metadata()).toMatchObject({ width: 120, height: 200 });
    expect((await content(5)).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await content(7)).toString()).toContain('Some words.');
    const failed = found
      .filter(({ status }) => status === 'failed')
      .map(({ line, error }) => [line, error.code, error.error]);
    expect(failed).toEqual([
      [10, 'invalid_parameter', expect.stringContaining('url must be an http or https URL')],
      [11, 'invalid_parameter', 'There is no parameter fulPage for screenshot. Did you mean fullPage?'],
      [12, 'invalid_parameter', expect.stringMatching(/^width must be .*; in JSON it is a number\.$/)],
      [13, 'invalid_body', 'The line is not JSON.'],
      [14, 'invalid_parameter', 'kind must be one of screenshot, og, content.'],
      [15, 'target_refused', expect.stringContaining('10.0.0.1')],
      [16, 'invalid_body', 'The line has more than 4 MB.'],
    ]);
    expect(out.trim().split('\n')).toHaveLength(14);
    expect(out).toMatch(/^line 4: \S+, \d+ ms, verdict http_error$/m);
    expect(out).toMatch(/^line 13 failed: invalid_body: The line is not JSON\.$/m);
    expect(await readdir(harness.at('all'))).toHaveLength(8);
  });

  it('skips what is done, and renders again what failed, what was removed and what a row says only half', async () => {
    const before = await harness.rows('all');
    const [first, second] = before;
    await rm(harness.at(`all/${first?.file}`));
    const kept = before.filter(({ line }) => line !== second?.line).map((row) => JSON.stringify(row));
    await writeFile(harness.at('all/results.jsonl'), [...kept, JSON.stringify(second).slice(0, 50)].join('\n'));
    const hits = harness.site.hits('/');
    const { code, notes } = await harness.run(['-', '-o', 'all', '--width', '300', '--height=200'], { stdin: lines() });
    expect({ code, notes }).toMatchObject({ code: 1, notes: expect.stringContaining('2 done (1 with') });
    expect(notes).toContain('5 done before, 7 failed');
    expect(harness.site.hits('/')).toBe(hits + 1);
    const after = await harness.rows('all');
    expect(after.map(({ line, file }) => [line, file])).toEqual(before.map(({ line, file }) => [line, file]));
  });
});

describe('wrong use', () => {
  /** In this process: nothing is rendered. */
  async function refused(...args: string[]) {
    const notes: string[] = [];
    const io = {
      config: () => loadConfig({ DATA_DIR: harness.folder }),
      note: (line: string) => void notes.push(line),
    };
    return { code: await main(['batch', ...args], io as never), notes: notes.join('\n') };
  }

  it('is one line and exit code 2, and nothing is written', async () => {
    await writeFile(harness.at('one.txt'), `${harness.site.url}/`);
    const [file, none] = [harness.at('one.txt'), harness.at('none')];
    const refusals: [string[], string][] = [
      [[file], 'The folder is missing: -o DIR.'],
      [['-o', none], 'FILE is missing. See: tintype batch --help'],
      [[file, '-o', none, '--at-once', '0'], '--at-once must be a whole number from 1 to 64.'],
      [[file, '-o', none, '--at-once', '65'], '--at-once must be a whole number from 1 to 64.'],
      [[file, '-o', none, '--width', 'wide'], '--width must be a whole number from'],
      [[file, '-o', none, '--fulPage'], 'There is no option --fulPage. Did you mean --fullPage?'],
      [['-', '-o', none, '--basic-auth', 'ada'], 'The lines come from standard input, so the login may not.'],
    ];
    for (const [args, notes] of refusals)
      expect(await refused(...args), args.join(' ')).toEqual({ code: 2, notes: expect.stringContaining(notes) });
    expect(await readdir(harness.folder)).not.toContain('none');
  });

  it('a file that cannot be read and a folder that cannot be written are named', async () => {
    const unreadable: [string, string][] = [
      [harness.at('absent.txt'), 'ENOENT'],
      [harness.folder, 'EISDIR'],
    ];
    for (const [file, reason] of unreadable)
      expect(await refused(file, '-o', harness.at('none'))).toEqual({
        code: 1,
        notes: expect.stringContaining(`${file} cannot be read: ${reason}`),
      });
    await mkdir(harness.at('closed'), { mode: 0o500 });
    // Root may write everywhere.
    const folders = [
      harness.at('one.txt'),
      harness.at('one.txt/x'),
      '/proc/x',
      ...(process.getuid?.() === 0 ? [] : [harness.at('closed')]),
    ];
    for (const dir of folders)
      expect(await refused(harness.at('one.txt'), '-o', dir)).toEqual({
        code: 1,
        notes: expect.stringContaining(`${dir} cannot be written: E`),
      });
  });

  it('a login of the options goes to one origin, and its values are in no message', async () => {
    const stdin = `http://10.0.0.1/a\nhttp://10.0.0.2/\n{"url": "http://10.0.0.2/", "headers": {"Host": "hunter2"}}\n`;
    const { out, notes } = await harness.run(['-', '-o', 'login', '--header', 'X-Token: hunter2'], { stdin });
    expect(out).toMatch(/^line 1 failed: target_refused/m);
    expect(out).toMatch(
      /^line 2 failed: invalid_parameter: --header, --cookie and --basic-auth are for the origin of the first URL, http:\/\/10\.0\.0\.1\./m,
    );
    const file = await readFile(harness.at('login/results.jsonl'), 'utf8');
    expect(out + notes + file).not.toContain('hunter2');
  });
});
