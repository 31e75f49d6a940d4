// The deadline of a request: created when the request arrives and passed down to everything done for it. Only deadlines
// decide time-outs. A deadline also records the time spent in each step, and is the AbortSignal of the work.
import { Problem } from './errors.ts';

export type Phases = Readonly<Record<string, number>>;

/** Thrown where work stops because nobody waits for it any more. No caller sees it. */
export class Cancelled extends Error {
  constructor() {
    super('Nobody waits for this any more.');
    this.name = 'Cancelled';
  }
}

export class Deadline {
  readonly startedAt = performance.now();
  /** Called when the deadline moves, to tell another machine. */
  onExtend: (() => void) | undefined;
  readonly #what: string;
  #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #step = 'start';
  #stepElsewhere: string | undefined;
  #stepAt = this.startedAt;
  #phases: Record<string, number> = {};
  #ended: { readonly reason: unknown } | undefined;
  /** Created on first use: a cache hit never needs it. */
  #controller: AbortController | undefined;
  readonly #racing = new Set<(reason: unknown) => void>();

  /** `what` begins the error text: "The render did not finish …". */
  constructor(ms: number, what = 'The render') {
    this.#what = what;
    this.#endsAt = this.startedAt + ms;
    this.#arm();
  }

  /** Milliseconds left, never below 0. */
  remaining(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  elapsed(): number {
    return performance.now() - this.startedAt;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended && !this.#controller.signal.aborted) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }

  get endsAt(): number {
    return this.#endsAt;
  }

  /** Another caller of the same work may have more time: the work then lasts as long as that caller waits. */
  extendTo(endsAt: number): void {
    if (endsAt <= this.#endsAt || this.#ended) return;
    this.#endsAt = endsAt;
    this.#arm();
    this.onExtend?.();
  }

  /** Ends the running phase and begins the next one. A phase entered twice adds up. */
  step(name: string): void {
    const now = performance.now();
    this.#phases[this.#step] = (this.#phases[this.#step] ?? 0) + (now - this.#stepAt);
    this.#step = name;
    this.#stepAt = now;
    this.#stepElsewhere = undefined;
  }

  /** The step that another machine is in during the current step, for the text of a time-out. */
  elsewhere(step: string): void {
    this.#stepElsewhere = step;
  }

  /** Adds steps of another machine. Their time is taken out of the current step. */
  include(phases: Phases): void {
    const now = performance.now();
    for (const [name, ms] of Object.entries(phases)) {
      this.#phases[name] = (this.#phases[name] ?? 0) + ms;
      this.#stepAt = Math.min(now, this.#stepAt + ms);
    }
  }

  get currentStep(): string {
    return this.#stepElsewhere ?? this.#step;
  }

  /** Milliseconds spent in each step so far, in the order they were entered. */
  phases(): Phases {
    const running = performance.now() - this.#stepAt;
    return { ...this.#phases, [this.#step]: (this.#phases[this.#step] ?? 0) + running };
  }

  /** The promise, or the deadline's error if that comes first. A later rejection of the promise is ignored. */
  race<T>(promise: Promise<T>): Promise<T> {
    if (this.#ended) {
      promise.catch(() => {});
      return Promise.reject(this.#ended.reason);
    }
    return new Promise<T>((resolve, reject) => {
      this.#racing.add(reject);
      promise.then(
        (value) => {
          this.#racing.delete(reject);
          resolve(value);
        },
        (error) => {
          this.#racing.delete(reject);
          reject(error);
        },
      );
    });
  }

  throwIfOver(): void {
    if (this.remaining() === 0) this.#expire();
    if (this.#ended) throw this.#ended.reason;
  }

  /**
   * Waits for the promise, but no longer than `ms`: true if it resolved in time, otherwise false. It throws only if the
   * whole deadline ends. For bounded waits in a page: fonts, quiet layout, lazy images.
   */
  async within(ms: number, promise: Promise<unknown>): Promise<boolean> {
    const pause = new AbortController();
    try {
      return await this.race(
        Promise.race([
          promise.then(() => true),
          sleep(ms, pause.signal).then(
            () => false,
            () => false,
          ),
        ]),
      );
    } finally {
      pause.abort();
    }
  }

  pause(ms: number): Promise<void> {
    return sleep(ms, this.signal);
  }

  /** Stops the work, because nobody waits for it. */
  cancel(reason: unknown = new Cancelled()): void {
    this.#end(reason);
  }

  /** The work is done: stops the timer. */
  done(): void {
    this.#disarm();
  }

  #arm(): void {
    this.#disarm();
    // A timer may fire a millisecond early; `remaining()` decides.
    this.#timer = setTimeout(() => (this.remaining() > 0 ? this.#arm() : this.#expire()), Math.ceil(this.remaining()));
    this.#timer.unref();
  }

  #disarm(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#end(timeoutProblem(this.#endsAt - this.startedAt, this.currentStep, this.#what));
  }

  /** Only the first end counts. */
  #end(reason: unknown): void {
    this.#disarm();
    if (this.#ended) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
    for (const reject of this.#racing) reject(reason);
    this.#racing.clear();
  }
}

export const timeoutProblem = (ms: number, step: string, what = 'The render'): Problem =>
  new Problem('render_timeout', {
    message: `${what} did not finish within ${Math.round(ms)} ms; the time ran out in the step "${step}".`,
    step,
  });

/** Resolves after `ms`, or rejects with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
