// From the start of the process to ready, and to the first picture; again with the compiled code kept; and what
// server and browser take while nothing is asked. `npm run bench:cold-start`
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../src/kernel/deadline.ts';
import { loadNote, median, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import { usageOf } from './processes.ts';
import { report } from './report.ts';
import { createKey, startOwnServer } from './sides.ts';

const rounds = setting('ROUNDS', 5);
const pages = await startPages();
const idleServer = 'idle: server, MB';
const idleBrowsers = 'idle: browser, MB';
const seen = new Map<string, number[]>();
const note = (name: string, value: number) => seen.set(name, [...(seen.get(name) ?? []), value]);

for (let round = 0; round < rounds; round++) {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-cold-'));
  const env = { DATA_DIR: join(folder, 'data'), NODE_COMPILE_CACHE: join(folder, 'compiled') };
  try {
    await start('first start', env);
    const key = await createKey(env.DATA_DIR);
    await start('second start', env, key, round === rounds - 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
pages.close();

const rows = [...seen].map(([name, values]) => [name, median(values).toFixed(0)]);
console.log(table(`Cold start (median of ${rounds}, ${loadNote()})`, ['', 'ms or MB'], rows));

const middle = (name: string) => median(seen.get(name) ?? []);
report('start.ready', middle('second start: ready'));
report('start.memory', middle(idleServer) + middle(idleBrowsers));

async function start(name: string, env: Record<string, string>, key?: string, idle = false): Promise<void> {
  const started = performance.now();
  const server = await startOwnServer(env);
  try {
    note(`${name}: ready`, performance.now() - started);
    if (key !== undefined) {
      const query = new URLSearchParams({ url: `${pages.url}/small` });
      const response = await fetch(`${server.url}/v1/screenshot?${query}`, { headers: { 'x-api-key': key } });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
      note(`${name}: first picture`, performance.now() - started);
    }
    if (idle) {
      // Slots, sign-in and the fonts of cards are loaded behind the first picture; then V8 gives memory back.
      await sleep(20_000);
      const { nodeBytes, browserBytes } = usageOf(server.pid);
      note(idleServer, nodeBytes / 1e6);
      note(idleBrowsers, browserBytes / 1e6);
    }
    // The compiled code is written when the process ends.
    server.signal('SIGTERM');
    await server.exited;
  } finally {
    await server.clean();
  }
}
