// Has HTML templates read and painted by processes of their own, one for each core, started when they are first needed.
// One that takes too long is killed: it costs its own request, and the start of the next process.
import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { Deadline, sleep } from '../../kernel/deadline.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts';
import type { Log } from '../../kernel/log.ts';
import type { PaintedCard } from './card-painter.ts';
import type { HtmlCard, PaintingAnswer, PaintingTask, ReadTemplate } from './painting-process.ts';

export type HtmlPainter = {
  /** Throws a 400 with line and column. */
  read(source: string, deadline: Deadline): Promise<ReadTemplate>;
  /** Throws a 400, also if it takes too long. Accounts take turns. */
  paint(card: HtmlCard, deadline: Deadline, accountId?: string): Promise<PaintedCard>;
  /** Throws if it is no font that the engine can read. */
  checkFont(font: { readonly hash: string; readonly bytes: Uint8Array }, deadline: Deadline): Promise<void>;
  stop(): Promise<void>;
};

const program = fileURLToPath(new URL('./painting-process.ts', import.meta.url));
/** A card takes some tens of milliseconds; a machine may be busy. */
const longestMs = 3000;
/** A template that took too long is refused for this long at such a size, so that it cannot hold up others again and again. */
const refusedMs = 60_000;
/** The fonts of a process are never removed. */
const mostFonts = 40;
const startMs = 30_000;
/** With its fonts a process takes some 240 MB, so one that has nothing to do ends. */
const idleMs = 5 * 60_000;

type Worker = {
  readonly process: ChildProcess;
  readonly ready: Promise<unknown>;
  fonts: number;
  /** Aborted when it gets work again. */
  rest?: AbortController;
};

export function createHtmlPainter(log: Log, size = availableParallelism()): HtmlPainter {
  const places = createFairSemaphore(size);
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const slow = new BoundedMap<string, number>(1000);
  let stopped = false;

  function start(): Worker {
    const process = fork(program, { serialization: 'advanced', env: {}, execArgv: ['--max-old-space-size=512'] });
    const worker: Worker = { process, ready: nextMessage(process), fonts: 0 };
    worker.ready.catch(() => {});
    all.add(worker);
    process.once('exit', () => forget(worker));
    // It cannot be started, or its channel is closed. Without a listener, the error would end the server.
    process.on('error', () => discard(worker));
    return worker;
  }
  /** Started now, so that the next card does not wait for it. */
  const startNext = () => {
    try {
      rest(start(), 'last');
    } catch (error) {
      log.warn({ err: error }, 'a painting process cannot be started');
    }
  };
  const forget = (worker: Worker) => {
    worker.rest?.abort();
    all.delete(worker);
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
  };
  const discard = (worker: Worker) => {
    forget(worker);
    worker.process.kill('SIGKILL');
  };

  /** One that is still starting is taken last. */
  const rest = (worker: Worker, place: 'next' | 'last' = 'next') => {
    if (place === 'next') idle.push(worker);
    else idle.unshift(worker);
    worker.rest = new AbortController();
    sleep(idleMs, worker.rest.signal).then(
      () => discard(worker),
      () => {},
    );
  };
  const next = (): Worker => {
    const worker = idle.pop() ?? start();
    worker.rest?.abort();
    return worker;
  };

  /** A caller may leave; the process still ends its work, which costs less than a new one. */
  async function run(
    task: PaintingTask,
    deadline: Deadline,
    accountId = '',
  ): Promise<ReadTemplate | PaintedCard | null> {
    const release = await places.acquire(accountId, deadline);
    return deadline.race(work(task).finally(release));
  }

  async function work(task: PaintingTask): Promise<ReadTemplate | PaintedCard | null> {
    const worker = next();
    const patience = new Deadline(startMs + 2 * longestMs);
    let hasStarted = false;
    let isSound = false;
    try {
      if (!(await patience.within(startMs, worker.ready))) throw new Error('The painting process does not start.');
      hasStarted = true;
      worker.process.send(task);
      const answering = nextMessage(worker.process);
      answering.catch(() => {});
      if (!(await patience.within(longestMs, answering))) throw tooSlow();
      const answer = await answering;
      isSound = true;
      if ('fault' in answer) throw faulty(answer.fault);
      if ('failed' in answer) throw invalidParameter('template', `The template cannot be painted: ${answer.failed}`);
      worker.fonts = answer.fonts;
      return answer.done;
    } finally {
      if (isSound && !stopped && worker.fonts < mostFonts) rest(worker);
      else {
        discard(worker);
        if (hasStarted && !stopped) startNext();
      }
      if (!isSound && !stopped) log.warn({ task: task.kind }, 'a painting process was ended');
      patience.done();
    }
  }

  return {
    read: async (source, deadline) => (await run({ kind: 'read', source }, deadline)) as ReadTemplate,
    async paint(card, deadline, accountId = card.owner) {
      const name = slowName(card);
      if ((slow.get(name) ?? 0) > performance.now()) throw tooSlow();
      try {
        const { bytes, warnings } = (await run({ kind: 'paint', card }, deadline, accountId)) as PaintedCard;
        return { bytes: Buffer.from(bytes), warnings };
      } catch (error) {
        if (error instanceof TooSlow) slow.set(name, performance.now() + refusedMs);
        throw error;
      }
    },
    async checkFont({ hash, bytes }, deadline) {
      await run({ kind: 'font', hash, bytes }, deadline);
    },
    async stop() {
      stopped = true;
      for (const worker of all) discard(worker);
    },
  };
}

/**
 * A large card that takes too long must not refuse the small ones of its template. Several accounts may begin with the same
 * text, but the values and fonts of one must not refuse the cards of another.
 */
const slowName = ({ owner = '', source, canvas: { width, height, format } }: HtmlCard): string =>
  `${owner} ${hash('sha256', source)} ${format} ${Math.ceil(Math.log2(width * height))}`;

const faulty = ({ line, column, message }: { line: number; column: number; message: string }) =>
  invalidParameter('html', `Line ${line}, column ${column}: ${message}`);

class TooSlow extends Problem {}

const tooSlow = (): Problem =>
  new TooSlow('invalid_parameter', {
    parameter: 'template',
    message: `The template takes more than ${longestMs / 1000} seconds to paint. Shadows, blurs and long lists take the most.`,
  });

/** Rejects if the process ends instead, or cannot be reached. */
const nextMessage = (process: ChildProcess): Promise<PaintingAnswer> => {
  const { promise, resolve, reject } = Promise.withResolvers<PaintingAnswer>();
  const heard = (message: unknown) => resolve(message as PaintingAnswer);
  const ended = () => reject(invalidParameter('template', 'The template cannot be painted: it takes too much memory.'));
  const failed = (cause: Error) => reject(unavailable(cause));
  process.once('message', heard).once('exit', ended).once('error', failed);
  const forget = () => void process.off('message', heard).off('exit', ended).off('error', failed);
  promise.then(forget, forget);
  return promise;
};

const unavailable = (cause: unknown): Problem =>
  new Problem('overloaded', {
    message: 'The process that paints templates cannot be started. Try again shortly.',
    retryAfter: 1,
    cause,
  });
