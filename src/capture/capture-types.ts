// What src/capture offers to the rest of the service.
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
  readonly page: { readonly status: number; readonly finalUrl: string | null; readonly title: string };
  readonly verdict: Verdict;
  /** Sentences for the caller about what is missing or odd in the picture. */
  readonly warnings: readonly string[];
};

export type CaptureHealth = {
  /** A render could start now. */
  readonly ready: boolean;
  /** Why no render could start, for the operator. */
  readonly reason?: string;
  readonly browser: string;
  /** Undefined where another machine has the browsers. */
  readonly sandbox: boolean | undefined;
  readonly restarts: number;
  readonly renders: number;
  readonly slotsIdle: number;
  readonly slotsBusy: number;
};

/** The readiness check: true, or the reason why not. */
export const browserCheck = ({ ready, reason }: CaptureHealth): boolean | string => ready || (reason ?? false);

export interface Capturer {
  /** `turn` is paused while the page waits and uses no processor. */
  capture(request: CaptureRequest, deadline: Deadline, turn?: Turn): Promise<Captured>;
  health(): CaptureHealth;
  stop(): Promise<void>;
}
