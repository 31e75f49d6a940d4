// The package of clients/typescript as `npm pack` makes it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The path of the package, which is made in this folder. */
export async function packClient(folder: string): Promise<string> {
  const client = join(import.meta.dirname, '../../clients/typescript');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: client });
  // The build script writes to the same output, before the JSON.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as { filename: string }[];
  return join(folder, packed?.filename.replace('@', '').replace('/', '-') ?? '');
}

/** Installs these packages, without their install scripts. */
export const install = (folder: string, packages: readonly string[]) =>
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: folder,
  });
