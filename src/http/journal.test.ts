import { expect, it } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { plans } from '../kernel/plans.ts';
import type { UsageRecord } from '../render/usage-record.ts';
import type { RequestRecord } from '../store/store.ts';
import { createJournal } from './journal.ts';

it('usage that waits for a database that is unavailable is bounded by its size, and the newest is kept', async () => {
  let isDown = true;
  const written: RequestRecord[] = [];
  const usage = {
    async record(records: readonly RequestRecord[]) {
      if (isDown) throw new Error('down');
      written.push(...records);
    },
    async count() {},
  };
  const journal = createJournal(usage, plans, createLog('silent'));
  const record = (id: number) =>
    ({ id: String(id), parameters: 'x'.repeat(8000), warnings: '[]', phases: '{}' }) as UsageRecord;
  for (let i = 0; i < 6000; i++) {
    journal.write(record(i));
    if (i % 1000 === 0) await journal.flush();
  }
  await journal.flush();
  isDown = false;
  await journal.stop();
  expect(written.reduce((sum, { parameters }) => sum + parameters.length, 0)).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(written.length).toBeGreaterThan(1500);
  expect(written.at(-1)?.id).toBe('5999');
});
