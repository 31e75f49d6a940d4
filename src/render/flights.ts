// Single flight: identical requests at the same moment share one render. The work runs while anyone waits for it, until
// the latest of their deadlines; each waiter keeps its own deadline.
import { type Deadline, Deadline as NewDeadline, timeoutProblem } from '../kernel/deadline.ts';

type Flight<T> = { readonly work: Deadline; readonly promise: Promise<T>; waiters: number; over: boolean };

export type Flights<T> = {
  /** Is there a flight of this key to join? */
  has(key: string): boolean;
  /** In which step the flight is that this waiter has joined, while it is under way. */
  step(waiter: Deadline): string | undefined;
  /** Joins the flight of this key, or starts one with `run`. */
  join(key: string, waiter: Deadline, run: (work: Deadline) => Promise<T>): Promise<T>;
  readonly size: number;
};

const isEndOf = (deadline: Deadline, error: unknown): boolean =>
  deadline.remaining() === 0 && error === deadline.signal.reason;

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();
  const joined = new WeakMap<Deadline, Flight<T>>();

  function start(key: string, waiter: Deadline, run: (work: Deadline) => Promise<T>): Flight<T> {
    const work = new NewDeadline(waiter.remaining());
    const flight: Flight<T> = {
      work,
      waiters: 0,
      over: false,
      promise: run(work).finally(() => {
        work.done();
        flight.over = true;
        if (flights.get(key) === flight) flights.delete(key);
      }),
    };
    flight.promise.catch(() => {}); // every waiter may have left by then
    flights.set(key, flight);
    return flight;
  }

  return {
    has: (key) => flights.has(key),
    step(waiter) {
      const flight = joined.get(waiter);
      return flight?.over ? undefined : flight?.work.currentStep;
    },

    async join(key, waiter, run) {
      const flight = flights.get(key) ?? start(key, waiter, run);
      joined.set(waiter, flight);
      flight.waiters++;
      flight.work.extendTo(waiter.endsAt);
      try {
        return await waiter.race(flight.promise);
      } catch (error) {
        // The error tells the waiter its own time, whichever of the two timers came first, and the step of the work.
        if (isEndOf(waiter, error) || isEndOf(flight.work, error))
          throw timeoutProblem(waiter.endsAt - waiter.startedAt, flight.work.currentStep);
        throw error;
      } finally {
        flight.waiters--;
        if (flight.waiters === 0 && !flight.over) {
          flights.delete(key);
          flight.work.cancel();
        }
      }
    },

    get size() {
      return flights.size;
    },
  };
}
