// The thread that builds the documentation: parsing and highlighting all of it would block the server for a while.
import { parentPort, workerData } from 'node:worker_threads';
import { buildSite } from './site.ts';

const { openapiText, baseUrl } = workerData as { openapiText: string; baseUrl: string };
parentPort?.postMessage(buildSite(JSON.parse(openapiText), baseUrl));
