// What was removed from the cache lately, on any machine. It is read from Redis and not sent around: a message may come
// late, and until then a machine would give its clients what was rendered before the removal.
//
// removed:<account>   the subjects that were removed, by the time; '' stands for all of the account. Without an account: for
//                     everybody's
import { type Link, retry } from './link.ts';

/** Longer than any render. */
const keptMs = 10 * 60 * 1000;
/** Of one account. */
const mostKept = 1000;

/** See `Removals` in cache/removals.ts. */
export type SharedRemovals = {
  note(accountId?: string, subject?: string): Promise<void>;
  last(accountId: string, subject: string | null): Promise<string>;
};

export const createSharedRemovals = (link: Link): SharedRemovals => ({
  note: async (accountId = '', subject = '') => void (await retry(() => link.run(noteScript, accountId, subject))),
  last: async (accountId, subject) => String(await link.run(lastScript, accountId, subject ?? '')),
});

const noteScript = {
  name: 'tintypeNoteRemoval',
  lua: `
local removed = P .. 'removed:' .. ARGV[2]
redis.call('ZADD', removed, string.format('%.0f', clock[1] * 1000000 + clock[2]), ARGV[3])
redis.call('ZREMRANGEBYRANK', removed, 0, -${mostKept + 1})
redis.call('PEXPIRE', removed, ${keptMs})
`,
};

const lastScript = {
  name: 'tintypeLastRemoval',
  lua: `
local account, subject = ARGV[2], ARGV[3]
local function at(account, subject) return redis.call('ZSCORE', P .. 'removed:' .. account, subject) or '' end
local all = at('', '') .. '-' .. at(account, '') .. '-' .. at(account, subject)
return all == '--' and '' or all
`,
};
