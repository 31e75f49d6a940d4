// The GPU and network processes of one browser. The browser restarts them when they die, but their work hangs, and older
// pages may have lost their proxy: such a browser is replaced.
import { hasEnded, isWorking, processesOf } from './processes.ts';

const kinds = ['gpu', 'network'] as const;
type ServiceKind = (typeof kinds)[number];

export class ServiceProcesses {
  readonly #browser: number;
  readonly #first = new Map<ServiceKind, number>();
  #missed: ServiceKind | undefined;

  constructor(browser: number) {
    this.#browser = browser;
  }

  /** Remembers the first process of each kind. Call it after a page was made: by then both have started. */
  learn(): void {
    if (kinds.every((kind) => this.#first.has(kind))) return;
    const processes = processesOf(this.#browser);
    for (const kind of kinds) {
      const pid = processes.find((process) => process.kind === kind)?.pid;
      if (pid !== undefined && !this.#first.has(kind)) this.#first.set(kind, pid);
    }
  }

  /** Reports a process that must have died, because of an error it causes: it may have died before `learn`. */
  miss(kind: ServiceKind): void {
    this.#missed = kind;
  }

  /** Is the GPU process at work? A frame may take longer than the page that it is of. */
  isPainting(): boolean {
    const gpu = this.#first.get('gpu');
    return gpu !== undefined && isWorking(gpu);
  }

  /** The process that has died. Memory is freed before pipes are closed, so a dead process is seen before its effects. */
  lost(): ServiceKind | undefined {
    for (const [kind, pid] of this.#first) if (hasEnded(pid)) return kind;
    return this.#missed;
  }
}
