import { describe, expect, it } from 'vitest';
import { createLog } from '../kernel/log.ts';
import type { RequestRecord } from '../store/store.ts';
import { createJournal } from './journal.ts';
import { storedParameters, storedWarnings } from './stored-texts.ts';

const bytes = (text: string) => Buffer.byteLength(text);

describe('what is stored of a request', () => {
  it.each(['a', 'ü', '\u0000', '👩‍👩‍👧', '"'])(
    'is 8 KB at most, whatever 200 parameters and 200 warnings of %j are',
    (unit) => {
      const query = new Map(Array.from({ length: 200 }, (_, i) => [`${i}${unit.repeat(90)}`, unit.repeat(60_000)]));
      query.set('url', 'https://example.com/');
      const parameters = storedParameters(query);
      const warnings = storedWarnings([...query.values()]);
      expect(bytes(parameters) + bytes(warnings)).toBeLessThanOrEqual(8192);
      const shown = JSON.parse(parameters);
      expect(shown.url).toBe('https://example.com/');
      expect(Number.parseInt(shown['…'], 10)).toBe(201 - (Object.keys(shown).length - 1));
      const told = JSON.parse(warnings) as string[];
      expect(told.at(-1)).toBe(`… ${201 - (told.length - 1)} more warnings`);
    },
  );

  it('is whole where it is short, and marked where it was cut', () => {
    const query = new Map([
      ['width', '800'],
      ['customCSS', 'x'.repeat(501)],
      ['api_key', 'secret'],
      ['signature', 'f'],
    ]);
    expect(JSON.parse(storedParameters(query))).toEqual({ width: '800', customCSS: `${'x'.repeat(500)}…` });
    expect(storedWarnings([])).toBe('[]');
    expect(storedWarnings(['blank page'])).toBe('["blank page"]');
  });

  it('has no secret of a captured address, even one that the cut goes through', () => {
    const url = `https://a/?${'x'.repeat(480)}&api_key=hunter2hunter2hunter2`;
    expect(storedParameters(new Map([['url', url]]))).not.toContain('hunter2');
  });
});

it('usage that waits for a database that is away is bounded by its size, and the newest is kept', async () => {
  let away = true;
  const written: RequestRecord[] = [];
  const usage = {
    async record(records: readonly RequestRecord[]) {
      if (away) throw new Error('away');
      written.push(...records);
    },
    prune: async () => {},
  } as never;
  const journal = createJournal(usage, createLog('silent'));
  const record = (id: number) =>
    ({ id: String(id), parameters: 'x'.repeat(8000), warnings: '[]', phases: '{}' }) as RequestRecord;
  for (let i = 0; i < 6000; i++) {
    journal.write(record(i));
    if (i % 1000 === 0) await journal.flush();
  }
  await journal.flush();
  away = false;
  await journal.stop();
  expect(written.reduce((sum, { parameters }) => sum + parameters.length, 0)).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(written.length).toBeGreaterThan(1500);
  expect(written.at(-1)?.id).toBe('5999');
});
