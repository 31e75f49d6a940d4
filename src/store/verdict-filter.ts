// Conditions on the verdict of a capture. We write both columns: codes separated by commas, and JSON.
import { type RawBuilder, sql } from 'kysely';
import type { VerdictFilter } from '../kernel/verdict.ts';

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
const like = (column: 'verdict' | 'meta', pattern: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;

/** On the column `verdict` of the requests: codes separated by commas, empty for none. */
export function requestsWith(verdict: VerdictFilter): RawBuilder<boolean> {
  if (verdict === 'ok') return sql<boolean>`verdict = ''`;
  if (verdict === 'any') return sql<boolean>`verdict > ''`;
  return sql<boolean>`',' || verdict || ',' like ${`%,${escapeLike(verdict)},%`} escape '\\'`;
}

/** On the column `meta` of the cache. Texts of a page are quoted in the JSON, so they cannot look like a verdict. */
export function entriesWith(verdict: VerdictFilter): RawBuilder<boolean> {
  const start = (ok: boolean) => `%${escapeLike(`"verdict":{"ok":${ok}`)}`;
  if (verdict === 'ok') return like('meta', `${start(true)}%`);
  if (verdict === 'any') return like('meta', `${start(false)}%`);
  return like('meta', `${start(false)}%${escapeLike(`"${verdict}"`)}%`);
}
