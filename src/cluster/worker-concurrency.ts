// How many renders a node takes from a queue: those it has, and as many more as could begin at once. What would wait
// here is left to other nodes.
import type { Worker } from 'bullmq';

export type NodeAdmission = {
  /** How many ordinary renders could start now. */
  readonly room: number;
  /** How many of those that were taken wait for room, as a giant may. */
  readonly waiting: number;
  onChange: (() => void) | undefined;
};

/** A render that was taken from the queue has not got a slot yet, or has begun, or is over and only to be reported. */
export type TakenJob = { stage: 'taken' | 'begun' | 'over' };

/** Gives back the function to be called whenever a job was taken, began or ended. */
export function keepConcurrency(worker: Worker, admission: NodeAdmission, jobs: ReadonlySet<TakenJob>): () => void {
  let waking: Promise<void> | undefined;

  // At its concurrency, BullMQ looks at that number again when one of its jobs has ended, which may be a minute from
  // now; resume() makes it look at once.
  const wake = async () => {
    await worker.pause(true);
    await worker.resume();
    waking = undefined;
  };

  const adjust = () => {
    // What is on its way into the admission will take some of the room, and BullMQ itself fetches another job for one
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
