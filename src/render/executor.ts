// Where a render runs. This executor runs it in the process; the one of the cluster (app/executors.ts) sends it to a
// render node, which runs this one.
import type { CaptureRequest, Source } from '../capture/capture-request.ts';
import type { Captured, Capturer } from '../capture/capture-types.ts';
import { isSent } from '../capture/sent-document.ts';
import type { CardMaker, CardRequest } from '../cards/card-types.ts';
import { readPage } from '../content/content.ts';
import type { ReadOptions } from '../content/content-types.ts';
import type { Deadline } from '../kernel/deadline.ts';
import type { Applicant, Lane, Load } from '../kernel/lanes.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Admission } from './admission.ts';

export type RenderTask =
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
export function sourceParameter(task: RenderTask): readonly [name: 'template' | Source, value: string] {
  if (task.kind === 'og') return ['template', task.request.template];
  const { html, markdown, url } = task.request;
  return html !== undefined ? ['html', html] : markdown !== undefined ? ['markdown', markdown] : ['url', url];
}

export const laneOf = (task: RenderTask): Lane => (task.kind === 'og' ? 'cards' : 'pages');

export type Executor = {
  /**
   * `id` names the render: calls with the same id wait for the same work. `onStart` is called when the render has got a
   * slot.
   */
  execute(
    task: RenderTask,
    applicant: Applicant,
    work: Deadline,
    id: string,
    onStart: () => void,
  ): Promise<RenderOutput>;
  load(lane: Lane): Load;
};

export type TaskRenderers = {
  readonly capturer: Pick<Capturer, 'capture' | 'evaluate'>;
  readonly cards: Pick<CardMaker, 'render'>;
};

/** One task, in this process and at once. */
export function renderTask(
  task: RenderTask,
  { capturer, cards }: TaskRenderers,
  work: Deadline,
  turn?: Turn,
): Promise<RenderOutput> {
  if (task.kind === 'og') return cards.render(task.request, work, turn);
  return task.kind === 'screenshot'
    ? capturer.capture(task.request, work, turn)
    : readPage(capturer, task.request, task.read, work, turn);
}

type Dependencies = TaskRenderers & {
  admissions: Readonly<Record<Lane, Admission>>;
  /** Resolves the target's name; throws if it cannot be resolved, or to an address that may not be reached. */
  resolve: (target: URL, signal: AbortSignal) => Promise<unknown>;
};

export function createExecutor({ admissions, capturer, cards, resolve }: Dependencies): Executor {
  return {
    async execute(task, applicant, work, _id, onStart) {
      const admission = admissions[laneOf(task)];
      admission.throwIfFull(applicant);
      // A page that was sent has no address to look up.
      if (task.kind !== 'og' && !isSent(task.request)) {
        work.step('dns');
        await work.race(resolve(new URL(task.request.url), work.signal));
      }
      work.step('queue');
      const turn = await admission.enter(applicant, work);
      try {
        onStart();
        work.step('render');
        return await renderTask(task, { capturer, cards }, work, turn);
      } finally {
        turn.leave();
      }
    },
    load: (lane) => admissions[lane],
  };
}
