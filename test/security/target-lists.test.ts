// The lists of addresses that must be refused and of innocents that must not, as far as the string or one stubbed
// DNS answer decides. Nothing is dialled; the vectors that need a browser are in browser-vectors.test.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEgress } from '../../src/egress/egress.ts';
import { Problem } from '../../src/kernel/errors.ts';

type Entry = {
  url: string;
  expect: number | string;
  layer?: string;
  why?: string;
  resolve?: Record<string, string[]>;
  canonical?: string | null;
};

const list = (name: string): Entry[] => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const refused = list('ssrf-urls.json');
const innocent = list('ssrf-allowed.json');

/** The status a caller would get: 200 stands for "goes on to the render". */
async function statusOf(entry: Entry): Promise<{ status: number; problem?: Problem; asked: string[] }> {
  const asked: string[] = [];
  const egress = createEgress({
    allowPrivate: [],
    resolver: async (host) => {
      asked.push(host);
      return entry.resolve?.[host] ?? ['93.184.216.34'];
    },
  });
  try {
    await egress.resolve(egress.check(entry.url), new AbortController().signal);
    return { status: 200, asked };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, problem: error, asked };
  } finally {
    await egress.stop();
  }
}

describe('a target that its own text gives away is refused, and no name server is asked', () => {
  it.each(refused.filter((entry) => entry.layer === 'static'))('$url ($why)', async (entry) => {
    const { status, problem, asked } = await statusOf(entry);
    expect({ status, code: problem?.code, parameter: problem?.parameter }).toEqual({
      status: 400,
      code: 'target_refused',
      parameter: 'url',
    });
    expect(problem?.message).toMatch(/^url .+\.$/);
    expect(asked).toEqual([]);
  });
});

describe('a target is refused if any address of its name is not public, and unreachable without one', () => {
  it.each(refused.filter((entry) => entry.layer === 'dns'))('$url ($why)', async (entry) => {
    const { status, problem, asked } = await statusOf(entry);
    expect(status).toBe(entry.expect);
    expect(problem?.code).toBe(entry.expect === 502 ? 'target_unreachable' : 'target_refused');
    expect(asked).toEqual(Object.keys(entry.resolve ?? {}));
  });
});

describe('no public target is refused', () => {
  it.each(innocent)('$url', async (entry) => {
    expect((await statusOf(entry)).status).toBe(200);
  });
});

it('the lists are whole: every entry is judged here or in the browser', () => {
  const layers = new Set(refused.map((entry) => entry.layer));
  expect([...layers].sort()).toEqual(['dns', 'egress', 'static']);
  expect(refused.filter((entry) => entry.layer === 'egress')).toHaveLength(27);
});
