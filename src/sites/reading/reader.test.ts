// What a reading that fails or waits costs: its own request.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadline } from '../../kernel/deadline.ts';
import { createPageReader, type PageReader } from './reader.ts';

const broken = vi.hoisted(() => ({ starts: 0 }));
vi.mock('node:worker_threads', async (original) => {
  const actual = await original<typeof import('node:worker_threads')>();
  class Worker extends actual.Worker {
    constructor(...given: ConstructorParameters<typeof actual.Worker>) {
      if (broken.starts-- > 0) throw new Error('ERR_WORKER_INIT_FAILED');
      super(...given);
    }
  }
  return { ...actual, Worker };
});

let reader: PageReader;
let deadline: Deadline;
beforeEach(() => {
  reader = createPageReader();
  deadline = new Deadline(60_000);
});
afterEach(async () => {
  broken.starts = 0;
  deadline.done();
  await reader.stop();
});

const page = (title: string) => {
  const bytes = Buffer.from(`<title>${title}</title>`);
  return { bytes, type: 'text/html', url: 'https://example.com/' };
};

it('a thread that cannot be started costs one page, and the next page is read', async () => {
  broken.starts = 1;
  expect(await reader.page('a', page('First'), deadline).catch(() => undefined)).toBeUndefined();
  expect((await reader.page('a', page('Second'), deadline))?.facts.title).toBe('Second');
});

it('a page of one account waits for one page of another account, however many that account has', async () => {
  const order: string[] = [];
  const read = async (accountId: string, title: string) => {
    await reader.page(accountId, page(title), deadline);
    order.push(title);
  };
  await Promise.all([read('a', 'a1'), read('a', 'a2'), read('a', 'a3'), read('b', 'b1')]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});
