// Asks /healthz again and again while something else is tried, and keeps the longest time it took to be answered.
import { Agent } from 'node:http';
import { sleep } from '../src/kernel/deadline.ts';
import { rawRequest } from '../test/harness/raw-request.ts';

export type HealthzPoller = {
  /** The longest answer since the last call, in milliseconds; infinite if there was none. */
  longest(): number;
  readonly answered: number;
  stop(): Promise<void>;
};

export function pollHealthz(url: string, everyMs = 10): HealthzPoller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let over = false;
  let longest = 0;
  let answered = 0;
  let sentAt = performance.now();
  const polling = (async () => {
    while (!over) {
      sentAt = performance.now();
      const { status } = await rawRequest(url, { path: '/healthz' }, agent);
      longest = Math.max(longest, status === 200 ? performance.now() - sentAt : Number.POSITIVE_INFINITY);
      answered++;
      await sleep(everyMs);
      sentAt = performance.now();
    }
  })();
  return {
    longest() {
      // One that still waits counts, too.
      const figure = Math.max(longest, performance.now() - sentAt);
      longest = 0;
      return figure;
    },
    get answered() {
      return answered;
    },
    async stop() {
      over = true;
      await polling;
      agent.destroy();
    },
  };
}
