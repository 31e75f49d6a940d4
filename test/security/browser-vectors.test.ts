// The guard from outside: a real browser visits pages that try everything to reach what is not public, in a network
// namespace of its own where every such address is a canary. Nothing may ever call a canary.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { has } from '../harness/needs.ts';
import type { Outcome, Report } from './vectors/report.ts';

// Root needs no more than a network namespace; others get one inside a user namespace, where the machine allows it.
const unshare = process.getuid?.() === 0 ? ['-n'] : ['-r', '-n'];
const canIsolate = has('a network namespace (unshare and ip, as root or with user namespaces)', () => {
  try {
    execFileSync('unshare', [...unshare, 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

async function runIsolated(): Promise<Report> {
  const script = join(import.meta.dirname, 'vectors/run.ts');
  const child = spawn('unshare', [...unshare, process.execPath, script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The run in the namespace ended with ${code}: ${said.slice(-2000)}`);
  return JSON.parse(printed);
}

// Where the main document itself leads astray, the answer is 400 and never a picture.
const answers: Readonly<Record<string, string>> = {
  '/redirect': 'target_refused',
  '/js-location': 'target_refused',
  '/form': 'target_refused',
  '/meta-refresh': 'target_refused',
  '/js-replace-later': 'target_refused',
  '/download': 'target_refused',
  '/pdf-embed': 'unsupported_content',
};

// Vectors that the browser itself stops, so that the guard never hears of them.
const stoppedEarlier: Readonly<Record<string, string>> = {
  '/webtransport': 'no QUIC',
  '/pdf-embed': 'not a page',
  '/host-mismatch': 'a page may not set Host; proxy.test.ts does',
  '/popup': 'no popups',
  '/file': 'no file: from a page',
  '/pdf-template': 'templates are printed without a network',
  '/speculation': 'no prerendering in the headless shell',
};

const pathOf = ({ url }: Outcome) => new URL(url).pathname;
const expected = (vector: Outcome) => answers[pathOf(vector)] ?? 'picture';
const codeOf = (vector: Outcome) => vector.outcome.split(':')[0] ?? '';

describe.skipIf(!canIsolate)('in a network namespace with canaries on every kind of address that is not public', () => {
  let report: Report;
  beforeAll(async () => {
    report = await runIsolated();
    console.log(tableOf(report));
  }, 240_000);

  it('the canaries hear: each notices a direct call, and a browser without its WebRTC flags', () => {
    expect(report.deaf).toEqual([]);
    expect(report.control).toBeGreaterThan(10);
  });

  it('nothing that a page does reaches a canary, over TCP or UDP, nor does the browser ask for a name', () => {
    expect(report.contacts).toEqual([]);
  });

  it('all 27 vectors of the list were run, and our own', () => {
    expect(report.vectors.filter((vector) => vector.listed)).toHaveLength(27);
    expect(report.vectors.filter((vector) => !vector.listed).length).toBeGreaterThanOrEqual(15);
  });

  it('every vector was tried, and refused by the guard or by the browser', () => {
    const idle = report.vectors.filter(
      (vector) => vector.refused.length === 0 && !(pathOf(vector) in stoppedEarlier) && !vector.url.includes('file%3A'),
    );
    expect(idle.map((vector) => vector.url)).toEqual([]);
  });

  it('a main document that leads to a forbidden address is a 400, every other page is captured', () => {
    const got = report.vectors.map((vector) => ({ url: vector.url, code: codeOf(vector) }));
    expect(got).toEqual(report.vectors.map((vector) => ({ url: vector.url, code: expected(vector) })));
  });

  it('the site was asked for by its own names only', () => {
    expect(
      report.hosts.filter(
        (host) => !/^((public|other|rebind|rebind-keepalive)\.fixture\.test|93\.184\.216\.34)\.?(:\d+)?$/.test(host),
      ),
    ).toEqual([]);
  });

  it('no innocent page is refused, and all of it is in the picture, even if the network changes meanwhile', () => {
    expect(report.innocents.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.innocents.length).toBe(9);
  });
});

function tableOf(report: Report): string {
  const rows = report.vectors.map(
    (vector) => `${codeOf(vector).padEnd(20)} ${String(vector.refused.length).padStart(3)}  ${vector.name}`,
  );
  return [
    `Chromium ${report.browser}: the way out, tried from inside`,
    'outcome           refused  vector',
    ...rows,
    `vectors run: ${rows.length} · canaries: ${report.canaries}, heard in the control: ${report.canaries - report.deaf.length}`,
    `canary contacts: ${report.contacts.length} (a browser without its WebRTC flags: ${report.control})`,
    `innocents captured: ${report.innocents.filter(({ ok }) => ok).length} of ${report.innocents.length}`,
  ].join('\n');
}
