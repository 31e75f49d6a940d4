// How many jobs may run at once. A job shares the processors with requests that somebody waits for, so while there are such
// requests, only a job now and then runs beside them; in a pause a few; and all slots but one when nobody has asked for a while.
import { availableParallelism } from 'node:os';

/** Requests often come in bursts: shorter gaps between them are not used. */
const pauseMs = 1000;
const quietMs = 30_000;
/** Without a gap a job is let in after so many renders or so long. It slows down one or two, which the p95 does not see. */
const rendersPerJob = 40;
const longestWaitMs = 15_000;

export type Pace = {
  /** A render begins; call the result when it has ended. */
  begin(isJob: boolean): () => void;
  capacity(slots: number): number;
};

export function createPace(cores = availableParallelism(), clock = () => performance.now()): Pace {
  let waitedFor = 0;
  let jobs = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let lastJob = Number.NEGATIVE_INFINITY;
  let sinceJob = 0;
  return {
    begin(isJob) {
      if (isJob) {
        jobs++;
        lastJob = clock();
        sinceJob = 0;
      } else waitedFor++;
      return () => {
        if (isJob) jobs--;
        else {
          waitedFor--;
          sinceJob++;
          lastEnd = clock();
        }
      };
    },
    capacity(slots) {
      const half = Math.floor(cores / 2);
      const sinceEnd = waitedFor > 0 ? 0 : clock() - lastEnd;
      if (sinceEnd >= quietMs) return Math.max(1, slots - 1);
      if (sinceEnd >= pauseMs) return Math.max(1, half);
      const isDue = jobs === 0 && (sinceJob >= rendersPerJob || clock() - lastJob >= longestWaitMs);
      // On a machine with many cores, jobs use those that are free.
      return Math.max(isDue ? 1 : 0, half - 1 - waitedFor);
    },
  };
}
