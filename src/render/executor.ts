// Where a render is made. This one is in the process; cluster/remote-executor.ts has the same face and hands the
// work to the render nodes, which run this one.
import type { Captured, Capturer } from '../capture/capture-types.ts';
import type { CaptureRequest } from '../capture/parameters.ts';
import type { Deadline } from '../kernel/deadline.ts';
import type { Lane, Load } from '../kernel/lanes.ts';
import type { CardMaker, CardRequest } from '../og/og-types.ts';
import type { Admission, Applicant } from './admission.ts';

export type Job =
  | { readonly kind: 'screenshot'; readonly request: CaptureRequest; readonly weight: number }
  | { readonly kind: 'og'; readonly request: CardRequest; readonly weight: number };

/** A capture, or a card, which has no page and so no verdict. */
export type Made = Omit<Captured, 'page' | 'verdict'> & Partial<Pick<Captured, 'page' | 'verdict'>>;

export const laneOf = (job: Job): Lane => (job.kind === 'og' ? 'cards' : 'pages');

export type Executor = {
  /**
   * `id` names the render: whoever asks for the same id waits for the same work. `began` is called when the render has
   * got a slot.
   */
  make(job: Job, applicant: Applicant, work: Deadline, id: string, began: () => void): Promise<Made>;
  load(lane: Lane): Load;
};

type Parts = {
  admissions: Readonly<Record<Lane, Admission>>;
  capturer: Pick<Capturer, 'capture'>;
  cards: Pick<CardMaker, 'render'>;
  /** The DNS part of the guard: throws if the target may not or cannot be reached. */
  resolve: (target: URL, signal: AbortSignal) => Promise<unknown>;
};

export function createExecutor({ admissions, capturer, cards, resolve }: Parts): Executor {
  return {
    async make(job, applicant, work, _id, began) {
      const admission = admissions[laneOf(job)];
      admission.throwIfFull(applicant.accountId);
      if (job.kind === 'screenshot') {
        work.step('dns');
        await work.race(resolve(new URL(job.request.url), work.signal));
      }
      work.step('queue');
      const turn = await admission.enter(applicant, work);
      try {
        began();
        work.step('render');
        return job.kind === 'screenshot'
          ? await capturer.capture(job.request, work, turn)
          : await cards.render(job.request, work, turn);
      } finally {
        turn.leave();
      }
    },
    load: (lane) => admissions[lane],
  };
}
