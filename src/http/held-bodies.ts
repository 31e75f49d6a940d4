// The bytes of bodies whose requests have no response yet. Requests that wait for the same render hold their bodies, and
// nothing else limits their number.
import { Problem } from '../kernel/errors.ts';
import { Tally } from './tally.ts';

/** Of one account. */
const most = 64 * 1024 * 1024;
const mostOfAll = 8 * most;
/** An account that holds no more than this is never refused, whatever others hold. */
const always = 1024 * 1024;

export type HeldBodies = {
  /** Throws 503 if there are too many. Returns how to let it go. */
  hold(accountId: string, size: number): () => void;
};

export function createHeldBodies(): HeldBodies {
  const held = new Tally();
  return {
    hold(accountId, size) {
      const own = held.of(accountId) + size;
      if (own > always && (own > most || held.all + size > mostOfAll))
        throw new Problem('overloaded', {
          message: 'Too many large requests are waiting for their responses. Send fewer at once.',
          retryAfter: 1,
        });
      held.add(accountId, size);
      return () => held.add(accountId, -size);
    },
  };
}
