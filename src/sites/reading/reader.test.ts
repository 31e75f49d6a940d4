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
  expect(await reader.page(page('First'), deadline).catch(() => undefined)).toBeUndefined();
  expect((await reader.page(page('Second'), deadline))?.facts.title).toBe('Second');
});
