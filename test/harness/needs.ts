// What a test needs of the machine beside Node and a browser. Where it is missing the test is skipped aloud, and in
// CI it fails: there nothing is skipped.
import { execFileSync } from 'node:child_process';

export function has(what: string, isThere: () => boolean): boolean {
  if (isThere()) return true;
  if (process.env.CI)
    throw new Error(`${what} is missing here, and in CI nothing is skipped. Run: npm run setup -- --tests`);
  console.warn(`SKIPPED: ${what} is missing on this machine, so what needs it is not tested.`);
  return false;
}

/** Go and Hugo: set-up does not install them, so without them a test is skipped aloud in CI too. */
export function hasOptional(name: 'go' | 'hugo'): boolean {
  if (isInstalled(name)) return true;
  console.warn(
    `SKIPPED: ${name} is missing on this machine and set-up does not install it, so what needs it is not tested.`,
  );
  return false;
}

function isInstalled(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const hasLinux = (): boolean => has('Linux', () => process.platform === 'linux');

export const hasCommand = (name: string): boolean => has(name, () => isInstalled(name));
