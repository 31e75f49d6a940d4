// What src/capture offers to the rest of the service.
import type { Deadline } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { CaptureRequest } from './capture-request.ts';

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

/** A script that is run in our isolated world of a page that has loaded, was scrolled through and is at rest. */
export type PageScript = {
  readonly expression: string;
  /** It is waited for, like that of a screenshot. */
  readonly selector?: string | undefined;
};

/** What such a script returned, and the page it ran in. */
export type ScriptResult<T> = Pick<Captured, 'page' | 'verdict' | 'warnings'> & { readonly value: T };

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
  readonly pagesReady: number;
  readonly pagesOpen: number;
};

/** The readiness check: true, or the reason why not. */
export const browserCheck = ({ ready, reason }: CaptureHealth): boolean | string => ready || (reason ?? false);

export interface Capturer {
  /** `turn` is paused while the page waits and uses no processor. */
  capture(request: CaptureRequest, deadline: Deadline, turn?: Turn): Promise<Captured>;
  /** Loads a page like a screenshot of the whole page, and runs a script instead of taking its picture. */
  evaluate<T>(request: CaptureRequest, script: PageScript, deadline: Deadline, turn?: Turn): Promise<ScriptResult<T>>;
  health(): CaptureHealth;
  stop(): Promise<void>;
}
