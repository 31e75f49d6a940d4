// One deadline for a request, made at the door and passed down to the last byte. It is the only
// thing in the house that decides a time-out, it knows in which step the time went, and it is the
// AbortSignal of everything done for the request.
import { Problem } from './errors.ts';

export type Phases = Readonly<Record<string, number>>;

/** Thrown where work stops because nobody waits for it any more. Never shown to a caller. */
export class Cancelled extends Error {
  constructor() {
    super('Nobody waits for this any more.');
    this.name = 'Cancelled';
  }
}

export class Deadline {
  readonly startedAt = performance.now();
  readonly signal: AbortSignal;
  /** Told when the deadline moves: for whoever carries it to another machine. */
  onExtend: (() => void) | undefined;
  #controller = new AbortController();
  #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #step = 'start';
  #stepElsewhere: string | undefined;
  #stepAt = this.startedAt;
  #phases: Record<string, number> = {};

  constructor(ms: number) {
    this.signal = this.#controller.signal;
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

  get endsAt(): number {
    return this.#endsAt;
  }

  /** A later waiter may have more time: the shared work then lives as long as it. */
  extendTo(endsAt: number): void {
    if (endsAt <= this.#endsAt || this.signal.aborted) return;
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

  /** Another machine is at work during the running step, and says where it is: for the text of a time-out. */
  elsewhere(step: string): void {
    this.#stepElsewhere = step;
  }

  /** Steps taken on another machine during the running one: their time is theirs, not its. */
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

  /** The promise, or the deadline's own error if that comes first. The loser's failure is swallowed. */
  race<T>(promise: Promise<T>): Promise<T> {
    if (this.signal.aborted) {
      promise.catch(() => {});
      return Promise.reject(this.signal.reason);
    }
    return new Promise<T>((resolve, reject) => {
      const stop = () => reject(this.signal.reason);
      this.signal.addEventListener('abort', stop, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop));
    });
  }

  throwIfOver(): void {
    if (this.remaining() === 0) this.#expire();
    this.signal.throwIfAborted();
  }

  /**
   * Waits for the promise, but no longer than `ms`: true if it came, false if it did not. Only the
   * whole deadline throws. For the bounded waits of a page: fonts, quiet layout, lazy images.
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

  /** Stops the work: nobody waits for it. */
  cancel(reason: unknown = new Cancelled()): void {
    this.#disarm();
    this.#controller.abort(reason);
  }

  /** The work is done; the deadline rings no more. */
  done(): void {
    this.#disarm();
  }

  #arm(): void {
    this.#disarm();
    // A timer may ring a millisecond early; `remaining()` decides.
    this.#timer = setTimeout(() => (this.remaining() > 0 ? this.#arm() : this.#expire()), Math.ceil(this.remaining()));
    this.#timer.unref();
  }

  #disarm(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#disarm();
    if (!this.signal.aborted) this.#controller.abort(timeoutProblem(this.#endsAt - this.startedAt, this.currentStep));
  }
}

export const timeoutProblem = (ms: number, step: string): Problem =>
  new Problem('render_timeout', {
    message: `The render did not finish within ${Math.round(ms)} ms; the time ran out in the step "${step}".`,
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
