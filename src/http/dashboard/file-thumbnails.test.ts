// How many thumbnails of an account are made at once.
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { Deadline } from '../../kernel/deadline.ts';
import { createFileThumbnails } from './file-thumbnails.ts';

it('one account has one thumbnail made at a time, each once; another account does not wait for it', async () => {
  const image = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  const thumbnailOf = createFileThumbnails();
  const deadline = new Deadline(60_000);
  const read: string[] = [];
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const get = (accountId: string, hash: string) =>
    thumbnailOf(
      accountId,
      hash,
      async () => {
        read.push(hash);
        await goOn;
        return image;
      },
      deadline,
    );
  const wanted = [get('a', 'a1'), get('a', 'a1'), get('a', 'a2'), get('a', 'a3'), get('b', 'b1')];
  await expect.poll(() => read).toEqual(['a1', 'b1']);
  resolve();
  for (const each of await Promise.all(wanted)) expect((await sharp(each).metadata()).width).toBe(160);
  expect(read).toEqual(['a1', 'b1', 'a2', 'a3']);
  deadline.done();
});

it('whoever waits for a thumbnail waits no longer than the deadline', async () => {
  const thumbnailOf = createFileThumbnails();
  const [busy, over] = [new Deadline(60_000), new Deadline(60_000)];
  const { promise: goOn, reject } = Promise.withResolvers<Buffer>();
  const first = thumbnailOf('a', 'a1', () => goOn, busy);
  const second = thumbnailOf('a', 'a2', () => goOn, over);
  over.cancel();
  await expect(second).rejects.toThrow('Nobody waits');
  reject(new Error('read no further'));
  await expect(first).rejects.toThrow('read no further');
  busy.done();
});
