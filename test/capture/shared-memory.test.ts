// Frames are handed over in /dev/shm where there is enough of it, and in files where there is not: a container has 64 MB.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { has } from '../harness/needs.ts';

/** A command with a /dev/shm of its own. */
const withSharedMemory = (options: string, ...command: string[]): [string, string[]] => [
  'unshare',
  ['-rm', 'sh', '-c', `mount -t tmpfs -o ${options} none /dev/shm && exec "$@"`, 'sh', ...command],
];

const canMount = has('a mount namespace (unshare, as root or with user namespaces)', () => {
  try {
    execFileSync(...withSharedMemory('size=1m', 'true'), { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const flags = join(import.meta.dirname, '../../src/capture/browser-flags.ts');
const script = `import { browserFlags } from ${JSON.stringify(flags)};
  console.log(browserFlags('profile', true).includes('--disable-dev-shm-usage') ? 'files' : 'shared memory');`;

describe.skipIf(!canMount)('frames are handed over', () => {
  for (const [what, options, expected] of [
    ['in files if a container has 64 MB of shared memory', 'size=64m,mode=1777', 'files'],
    ['in files if other users may not use the shared memory', 'size=5g,mode=755', 'files'],
    ['in shared memory if there are 5 GB', 'size=5g,mode=1777', 'shared memory'],
  ] as const)
    it(what, () => {
      const command = withSharedMemory(options, process.execPath, '--input-type=module', '-e', script);
      expect(execFileSync(...command, { encoding: 'utf8' }).trim()).toBe(expected);
    });
});
