// Where a render runs. This executor runs it in the process; the one of the cluster (app/executors.ts) sends it to a
// render node, which runs this one.
import type { CaptureRequest, Source } from '../capture/capture-request.ts';
import type { Captured, Capturer } from '../capture/capture-types.ts';
import { isSent } from '../capture/sent-document.ts';
import { readPage } from '../content/content.ts';
import type { ReadOptions } from '../content/content-types.ts';
import type { Deadline } from '../kernel/deadline.ts';
import type { Applicant, Lane, Load } from '../kernel/lanes.ts';
import type { Turn } from '../kernel/turn.ts';
import type { CardMaker, CardRequest } from '../og/og-types.ts';
import type { Admission } from './admission.ts';

export type Job =
  | { readonly kind: 'screenshot'; readonly request: CaptureRequest; readonly weight: number }
  | {
      readonly kind: 'content';
      readonly request: CaptureRequest;
      readonly read: ReadOptions;
      readonly weight: number;
    }
  | { readonly kind: 'og'; readonly request: CardRequest; readonly weight: number };

/** A capture, a card or a text. A card has no page, and so no verdict. */
export type RenderOutput = Omit<Captured, 'page' | 'verdict'> & Partial<Pick<Captured, 'page' | 'verdict'>>;

/** What is rendered, by the name and value of its parameter. */
export function subjectOf(job: Job): readonly [name: 'template' | Source, value: string] {
  if (job.kind === 'og') return ['template', job.request.template];
  const { html, markdown, url } = job.request;
  return html !== undefined ? ['html', html] : markdown !== undefined ? ['markdown', markdown] : ['url', url];
}

export const laneOf = (job: Job): Lane => (job.kind === 'og' ? 'cards' : 'pages');

export type Executor = {
  /**
   * `id` names the render: calls with the same id wait for the same work. `onStart` is called when the render has got a
   * slot.
   */
  execute(job: Job, applicant: Applicant, work: Deadline, id: string, onStart: () => void): Promise<RenderOutput>;
  load(lane: Lane): Load;
};

export type JobRenderers = {
  readonly capturer: Pick<Capturer, 'capture' | 'evaluate'>;
  readonly cards: Pick<CardMaker, 'render'>;
};

/** One job, in this process and at once. */
export function renderJob(
  job: Job,
  { capturer, cards }: JobRenderers,
  work: Deadline,
  turn?: Turn,
): Promise<RenderOutput> {
  if (job.kind === 'og') return cards.render(job.request, work, turn);
  return job.kind === 'screenshot'
    ? capturer.capture(job.request, work, turn)
    : readPage(capturer, job.request, job.read, work, turn);
}

type Dependencies = JobRenderers & {
  admissions: Readonly<Record<Lane, Admission>>;
  /** Resolves the target's name; throws if it cannot be resolved, or to an address that may not be reached. */
  resolve: (target: URL, signal: AbortSignal) => Promise<unknown>;
};

export function createExecutor({ admissions, capturer, cards, resolve }: Dependencies): Executor {
  return {
    async execute(job, applicant, work, _id, onStart) {
      const admission = admissions[laneOf(job)];
      admission.throwIfFull(applicant);
      // A page that was sent has no address to look up.
      if (job.kind !== 'og' && !isSent(job.request)) {
        work.step('dns');
        await work.race(resolve(new URL(job.request.url), work.signal));
      }
      work.step('queue');
      const turn = await admission.enter(applicant, work);
      try {
        onStart();
        work.step('render');
        return await renderJob(job, { capturer, cards }, work, turn);
      } finally {
        turn.leave();
      }
    },
    load: (lane) => admissions[lane],
  };
}
