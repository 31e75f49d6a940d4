// What makes two requests the same: the account, the endpoint and the fields its table names, as a
// SHA-256 over an encoding in which no value can run into its neighbour.
import { hash } from 'node:crypto';

export function cacheKey(
  accountId: string,
  endpoint: 'screenshot' | 'og',
  fields: readonly (readonly [string, string])[],
): string {
  // In one call: a Hash object for some hundred bytes costs twice as much as hashing them.
  return hash('sha256', JSON.stringify([accountId, endpoint, fields]), 'hex');
}
