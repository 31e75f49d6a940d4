// Files that renders need and render nodes do not have: the images and fonts of accounts' own templates. An api node puts them
// into Redis before it queues the render, and they stay there for an hour after the last use.
import { type Link, retry, space } from './link.ts';

const keptSeconds = 3600;
const keyOf = (hash: string): string => `${space}:file:${hash}`;

export type SharedFiles = {
  /** `read` is called if Redis does not have it. */
  share(hash: string, read: () => Promise<Buffer>): Promise<void>;
  read(hash: string): Promise<Buffer>;
};

export const createSharedFiles = ({ redis }: Link): SharedFiles => ({
  async share(hash, read) {
    if ((await retry(() => redis.expire(keyOf(hash), keptSeconds))) === 1) return;
    const bytes = await read();
    await retry(() => redis.set(keyOf(hash), bytes, 'EX', keptSeconds));
  },
  async read(hash) {
    const bytes = await retry(() => redis.getBuffer(keyOf(hash)));
    if (bytes === null) throw new Error(`The file ${hash} is not in Redis any more.`);
    return bytes;
  },
});
