import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDiskFiles } from './disk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-disk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const [known, unknown, young, rewritten] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const place = (name: string) => join(folder, name.slice(0, 2), name);
const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
const age = (name: string) => utimes(place(name), twoHoursAgo, twoHoursAgo);
const left = async () => (await readdir(folder, { recursive: true })).filter((name) => name.length > 2).sort();

it('the daily sweep removes old files that no entry names, and no others', async () => {
  const files = createDiskFiles(folder);
  for (const hash of [known, unknown, young, rewritten]) await files.write(hash, Buffer.from(hash));
  const unfinished = `${known}.1.tmp`;
  await writeFile(place(unfinished), 'half');
  for (const name of [known, unknown, rewritten, unfinished]) await age(name);
  // A result that was rendered again, with the same bytes, a moment ago: its entry is about to be written.
  await files.write(rewritten, Buffer.from(rewritten));
  await files.sweep(async (hash) => hash === known);
  expect(await left()).toEqual([known, young, rewritten].map((hash) => join(hash.slice(0, 2), hash)).sort());
  expect(await files.read(known)).toEqual(Buffer.from(known));
});
