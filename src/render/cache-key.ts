// What makes two requests the same: the account, the endpoint and the fields its table names, as a
// SHA-256 over an encoding in which no value can run into its neighbour.
import { createHash } from 'node:crypto';

export function cacheKey(
  accountId: string,
  endpoint: 'screenshot' | 'og',
  fields: readonly (readonly [string, string])[],
): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, endpoint, fields]))
    .digest('hex');
}
