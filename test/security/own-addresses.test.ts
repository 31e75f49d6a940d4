// A machine with a public address on one of its interfaces, and a service on every interface: in a namespace of its own.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { has } from '../harness/needs.ts';

const unshare = process.getuid?.() === 0 ? ['-n'] : ['-r', '-n'];
const canIsolate = has('a network namespace (unshare and ip, as root or with user namespaces)', () => {
  try {
    execFileSync('unshare', [...unshare, 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

type Report = Record<string, { resolved: string; reached: number; served: boolean }>;

describe.skipIf(!canIsolate)("the addresses of this machine's own interfaces", () => {
  const script = join(import.meta.dirname, 'own-addresses-run.ts');
  const report = (): Report => JSON.parse(execFileSync('unshare', [...unshare, process.execPath, script]).toString());

  it('are refused on every port, also those that come later, unless ALLOW_PRIVATE_TARGETS names them', () => {
    const refused = { resolved: 'target_refused', reached: 0, served: false };
    expect(report()).toEqual({
      'public address': refused,
      'name of a public address': refused,
      'IPv6 address': refused,
      'address that came later': refused,
      'named by the operator': { resolved: 'ok', reached: 1, served: true },
      'our own port, named by the operator': refused,
    });
  });
});
