// Compiles the filter lists again, in a thread.
import { workerData } from 'node:worker_threads';
import { rebuildLists } from './lists.ts';

await rebuildLists(workerData as string);
