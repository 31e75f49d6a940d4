import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatchWriter } from './batch-writer.ts';
import { createLog } from './log.ts';

function opened(limit = 100, everyMs = 10_000) {
  const written: string[][] = [];
  const lines: string[] = [];
  const database = { available: true };
  const writer = createBatchWriter<string>({
    what: 'The letters',
    write: async (items) => {
      if (!database.available) throw new Error('unavailable');
      written.push([...items]);
    },
    everyMs,
    limit,
    log: createLog('warn', (line) => lines.push(line)),
  });
  return { writer, written, lines, database };
}

describe('a batch writer', () => {
  it('writes everything of an interval together, and the last item of an id', async () => {
    const { writer, written } = opened(100, 5);
    for (const item of ['a', 'b', 'c']) writer.add(item === 'c' ? 'a' : item, item);
    await expect.poll(() => written).toEqual([['b', 'c']]);
    await writer.stop();
    expect(written).toHaveLength(1);
  });

  it('loses none of more than its limit in one interval', async () => {
    const { writer, written } = opened(100);
    const items = Array.from({ length: 1000 }, (_, i) => `item ${i}`);
    for (const item of items) {
      writer.add(item, item);
      await setImmediate();
    }
    await writer.stop();
    expect(written.flat()).toEqual(items);
  });

  it('keeps what could not be written, in order, up to its limit', async () => {
    const { writer, written, database, lines } = opened(3);
    database.available = false;
    for (const item of ['a', 'b', 'c', 'd']) {
      writer.add(item, item);
      await writer.flush();
    }
    database.available = true;
    await writer.stop();
    expect(written).toEqual([['b', 'c', 'd']]);
    // One line for the whole outage, and one for what it cost.
    expect(lines).toEqual([
      expect.stringContaining('The letters could not be written yet'),
      expect.stringMatching(/"dropped":1,.*the oldest were dropped/),
    ]);
  });
});
