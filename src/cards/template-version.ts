// The version of a template: a hash of everything that the look of its cards depends on.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazily } from '../kernel/lazily.ts';
import type { Template } from './card-types.ts';

/** Of its text, its files, our code and the engine's version. */
export const versionOf = async (text: string, files: Template['files']): Promise<string> =>
  digest(await engineVersion(), text, ...files.flatMap(({ name, hash }) => [name, hash]));

const engineVersion = lazily(async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const { dependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const sources = await Promise.all(files.sort().map((file) => readFile(join(folder, file))));
  return digest(dependencies['@takumi-rs/core'], ...sources);
});

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}
