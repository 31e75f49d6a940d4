// The GPU and network processes of one browser. The browser starts them again when they die, but what they were doing
// hangs, and pages made before may have lost their way out: such a browser is not worth keeping.
import { hasEnded, processesOf } from './processes.ts';

const kinds = ['gpu', 'network'] as const;
type HelperKind = (typeof kinds)[number];

export class Helpers {
  readonly #browser: number;
  readonly #first = new Map<HelperKind, number>();
  #missed: HelperKind | undefined;

  constructor(browser: number) {
    this.#browser = browser;
  }

  /** Remembers the first process of each kind. To be asked when a page was made: by then both have been started. */
  learn(): void {
    if (kinds.every((kind) => this.#first.has(kind))) return;
    const processes = processesOf(this.#browser);
    for (const kind of kinds) {
      const pid = processes.find((process) => process.kind === kind)?.pid;
      if (pid !== undefined && !this.#first.has(kind)) this.#first.set(kind, pid);
    }
  }

  /** Known by what no longer works: the first one may have died before it was looked for. */
  miss(kind: HelperKind): void {
    this.#missed = kind;
  }

  /** The one that has died. A process gives its memory back before it lets go of its pipes, so this is never late. */
  lost(): HelperKind | undefined {
    for (const [kind, pid] of this.#first) if (hasEnded(pid)) return kind;
    return this.#missed;
  }
}
