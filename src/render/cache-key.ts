// The cache key: a SHA-256 of the account, the endpoint and the fields that its parameter table names. They are encoded as
// JSON, so that two different lists of values never have the same encoding.
import { hash } from 'node:crypto';
import type { Endpoint } from './validated-request.ts';

export function cacheKey(
  accountId: string,
  endpoint: Endpoint,
  fields: readonly (readonly [string, string])[],
): string {
  // In one call: for a few hundred bytes, creating a Hash object costs twice as much as the hashing.
  return hash('sha256', JSON.stringify([accountId, endpoint, fields]), 'hex');
}
