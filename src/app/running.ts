// What a process that was started gives: app.ts for the api, render-role.ts for a render node.
import type { Store } from '../store/store.ts';

export type Running = {
  readonly url: string;
  readonly store: Store;
  /** Resolves when everything that the first picture does not need is loaded, too. */
  readonly prepared: Promise<unknown>;
  /** Refuses new requests, waits a bounded time for those in flight, and closes everything. */
  stop(): Promise<void>;
};
