// What is remembered of a result beside its bytes.
import type { Captured } from '../capture/capture-types.ts';
import { verdictOf } from '../kernel/verdict.ts';

/** The answer's metadata. */
export type Meta = {
  /** What was asked for: the address of a screenshot, or the template of a card. */
  readonly url?: string;
  readonly template?: string;
  readonly width: number;
  readonly height: number;
  readonly renderTime: number;
  readonly pages?: number;
  readonly page?: Captured['page'];
  readonly verdict?: Captured['verdict'];
  readonly warnings: readonly string[];
};

/** As it was stored. A capture that was stored before there were verdicts is judged by its status, which is all that is known. */
export function readMeta(text: string): Meta {
  const meta = JSON.parse(text) as Meta;
  if (meta.page === undefined || meta.verdict !== undefined) return meta;
  return { ...meta, verdict: verdictOf(meta.page.status >= 400 ? ['http_error'] : []) };
}
