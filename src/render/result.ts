// The result of a render, and the metadata that is stored beside its bytes.
import type { Captured } from '../capture/capture-types.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Phases } from '../kernel/deadline.ts';
import { verdictOf } from '../kernel/verdict.ts';

export type Result = {
  readonly key: string;
  readonly hash: string;
  /** The media type. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly meta: Meta;
  readonly cache: 'HIT' | 'MISS';
  readonly createdAt: number;
  /** When it was stored; null for a result that is fresh or could not be stored. */
  readonly cachedAt: number | null;
  /** Is there a cache entry, so that a link can point to it? */
  readonly stored: boolean;
  /** Milliseconds for which it may still be served from a cache. */
  readonly freshForMs: number;
  /** When its cache lifetime by the plan ends, in Unix milliseconds. Links to it are valid until then. */
  readonly expiresAt: number;
  /** Why it is older than the caller wanted; undefined if it is not. */
  readonly stale?: string;
  readonly phases: Phases;
};

export type Meta = {
  /** What was asked for: the address of a screenshot, or the template of a card. */
  readonly url?: string;
  readonly template?: string;
  /** Instead of `url`, where the caller sent the page itself. */
  readonly source?: 'html' | 'markdown';
  /** 0 for a text. */
  readonly width: number;
  readonly height: number;
  readonly renderTime: number;
  readonly pages?: number;
  readonly page?: Captured['page'];
  readonly verdict?: Captured['verdict'];
  /** It shows a page behind a login: no cache but ours may keep it. */
  readonly behindLogin?: true;
  readonly warnings: readonly string[];
};

/** Stored metadata. Captures that were stored before verdicts existed are judged by their status alone. */
export function readMeta(text: string): Meta {
  const known = read.get(text);
  if (known !== undefined) return known;
  const meta = parseMeta(text);
  read.set(text, meta);
  return meta;
}

/** The results that are asked for most: parsing took 2 % of a hit. */
const read = new BoundedMap<string, Meta>(1000);

function parseMeta(text: string): Meta {
  const meta = JSON.parse(text) as Meta;
  if (meta.page === undefined || meta.verdict !== undefined) return meta;
  return { ...meta, verdict: verdictOf(meta.page.status >= 400 ? ['http_error'] : []) };
}
