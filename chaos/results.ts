// The results of `npm run chaos -- --all`, from which docs/guarantees.md is made.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Row } from './guarantee.ts';

export type Measured = { readonly commit: string; readonly date: string; readonly rows: readonly Row[] };
export type Results = Readonly<Record<string, Measured>>;

const fileOf = (arch: string) => join(import.meta.dirname, 'results', `${arch}.json`);

export function readResults(arch: string): Results {
  return existsSync(fileOf(arch)) ? JSON.parse(readFileSync(fileOf(arch), 'utf8')) : {};
}

export function saveResult(arch: string, name: string, measured: Measured): void {
  mkdirSync(dirname(fileOf(arch)), { recursive: true });
  writeFileSync(fileOf(arch), `${JSON.stringify({ ...readResults(arch), [name]: measured }, null, 2)}\n`);
}

/** The commit that is measured; with `-dirty` if more than the results and their page differs from it. */
export function measuredCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: join(import.meta.dirname, '..') }).toString();
  const changed = git('status', '--porcelain', '--', '.', ':!chaos/results', ':!docs/guarantees.md').trim();
  return git('rev-parse', '--short=8', 'HEAD').trim() + (changed === '' ? '' : '-dirty');
}
