// What the capture part promises to the rest of the house.
import type { Deadline } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { CaptureRequest } from './parameters.ts';

export type Captured = {
  readonly bytes: Buffer;
  /** The media type of the bytes. */
  readonly type: string;
  /** Output pixels; for a PDF the page's size in points. */
  readonly width: number;
  readonly height: number;
  /** PDF only. */
  readonly pages?: number;
  readonly page: { readonly status: number; readonly finalUrl: string; readonly title: string };
  readonly verdict: Verdict;
  /** What a person would want to know about this picture. */
  readonly warnings: readonly string[];
};

export type CaptureHealth = {
  /** Could a render start now? */
  readonly ready: boolean;
  /** Why not, for the operator. */
  readonly reason?: string;
  readonly browser: string;
  /** Undefined where another machine has the browsers. */
  readonly sandbox: boolean | undefined;
  readonly restarts: number;
  readonly renders: number;
  readonly slotsIdle: number;
  readonly slotsBusy: number;
};

/** As a check of readiness: true, or why not. */
export const browserCheck = ({ ready, reason }: CaptureHealth): boolean | string => ready || (reason ?? false);

export interface Capturer {
  /** `turn` is paused while the page only waits. */
  capture(request: CaptureRequest, deadline: Deadline, turn?: Turn): Promise<Captured>;
  health(): CaptureHealth;
  stop(): Promise<void>;
}
