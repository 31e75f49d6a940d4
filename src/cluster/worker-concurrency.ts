// How many renders a node takes from a queue: those it has, and as many more as could start at once. Renders that would
// wait here are left to other nodes.
import type { Worker } from 'bullmq';

export type NodeAdmission = {
  /** How many ordinary renders could start now. */
  readonly room: number;
  /** How many of the renders that were taken wait for room, as a very large one may. */
  readonly waiting: number;
  onChange: (() => void) | undefined;
};

/** A render taken from the queue: it has no slot yet, or has begun, or is over and only its result is to be sent. */
export type TakenJob = { stage: 'taken' | 'begun' | 'over' };

/** Returns the function to call whenever a job was taken, began or ended. */
export function keepConcurrency(worker: Worker, admission: NodeAdmission, jobs: ReadonlySet<TakenJob>): () => void {
  let waking: Promise<void> | undefined;

  // A BullMQ worker with as many jobs as its concurrency notices a larger one only when a job has ended, which may take a
  // minute; resume() makes it look at once.
  const wake = async () => {
    await worker.pause(true);
    await worker.resume();
    waking = undefined;
  };

  const adjust = () => {
    // Renders on their way into the admission will take some of the room, and BullMQ fetches another job for each one
    // that is over.
    const count = (wanted: TakenJob['stage']) => [...jobs].filter(({ stage }) => stage === wanted).length;
    const expected = Math.max(0, count('taken') - admission.waiting) + count('over');
    const before = worker.concurrency;
    worker.concurrency = Math.max(1, jobs.size + Math.max(0, admission.room - expected));
    const isStuck = jobs.size >= before && worker.concurrency > before;
    if (isStuck && waking === undefined && !worker.closing) waking = wake();
  };
  admission.onChange = adjust;
  return adjust;
}
