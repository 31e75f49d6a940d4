// The guarantees, in the order in which `npm run chaos` tries them, with what each is tried with.
import type { Guarantee } from './guarantee.ts';
import { blockedByInput } from './guarantees/blocked-by-input.ts';
import { blockedByPages } from './guarantees/blocked-by-pages.ts';
import { browserKills } from './guarantees/browser-kills.ts';
import { fairness } from './guarantees/fairness.ts';
import { hostileNeighbour, hostileNeighbourInACluster } from './guarantees/hostile-neighbour.ts';
import { hostilePagesAndFaults } from './guarantees/hostile-pages.ts';
import { jobsInACluster, jobsOnOneProcess } from './guarantees/jobs.ts';
import { memory } from './guarantees/memory.ts';
import { oneRender } from './guarantees/one-render.ts';
import { overload } from './guarantees/overload.ts';
import { storage } from './guarantees/storage.ts';
import { targetDown } from './guarantees/target-down.ts';
import { waitingPages, waitingPagesInACluster } from './guarantees/waiting-pages.ts';

type Tried = { readonly promise: string; readonly test: string; readonly keep: Guarantee };

const tried = (promise: string, test: string, keep: Guarantee): Tried => ({ promise, test, keep });

export const guarantees: Readonly<Record<string, Tried>> = {
  'one-render': tried('identical requests are one render', '1,000 at the same moment', oneRender),
  storage: tried(
    'a full disk or a locked database costs no picture',
    'a small file system filled completely; an exclusive lock',
    storage,
  ),
  'blocked-by-input': tried(
    'no request blocks another',
    'every awkward character for every parameter (64 KB in an address, 1.9 MB in a body), header and path; 4,000 parameters; bodies of 4 MB that are hostile as a whole; the longest cards',
    blockedByInput,
  ),
  'browser-kills': tried(
    'a browser crash costs no picture, and the next render works',
    'the active browser is killed every 6 s under load',
    browserKills,
  ),
  'hostile-pages': tried(
    'every request is answered, and within its `timeout`',
    'hostile pages beside ordinary ones: endless loops before and after load, a memory bomb, 10,000 sub-resources, endless reloads and redirects, alert loops, `debugger`, print, popups, a crash, a slow-loris server, a gigabyte, a decompression bomb; renderers killed and stopped; clients that disconnect',
    hostilePagesAndFaults,
  ),
  'hostile-neighbour': tried(
    "nobody pays for another account's page",
    'a Free account with 4 clients and a Business account with 32, whose pages keep the compositor, the GPU process, WebGL, memory, workers, shared workers, video decoders or the PDF printer busy',
    hostileNeighbour,
  ),
  'hostile-neighbour-in-a-cluster': tried(
    'the same in a cluster',
    'the same with an api and a render node',
    hostileNeighbourInACluster,
  ),
  'blocked-by-pages': tried(
    'no page blocks the service',
    'pages with too much of something (titles, classes, links, dialogs, console, errors, frames, shadow roots, depth, requests, posts …), each as png, as PDF and cleaned',
    blockedByPages,
  ),
  overload: tried(
    'excess work is refused at once, and accepted work and hits go on',
    'ten times the capacity, a short queue',
    overload,
  ),
  fairness: tried(
    "one account's flood does not slow another",
    'one account goes from 1 to 24 requests at once',
    fairness,
  ),
  'target-down': tried(
    'a target that is down keeps its picture',
    'under load, the target refuses connections, hangs, answers 500 or shows a bot wall after its results have expired',
    targetDown,
  ),
  'waiting-pages': tried(
    'pages that never answer block nobody',
    'a Free and a Starter account with 16 such pages, `timeout=60000`',
    waitingPages,
  ),
  'waiting-pages-in-a-cluster': tried(
    'the same in a cluster',
    'the same with an api and a render node',
    waitingPagesInACluster,
  ),
  jobs: tried(
    'accepted jobs are not lost, end once, and are reported under one id',
    '2,000 jobs while the process is killed every 5 s (40 times at most)',
    jobsOnOneProcess,
  ),
  'jobs-in-a-cluster': tried(
    'the same in a cluster',
    'an api node, a render node and Redis are killed in turn',
    jobsInACluster,
  ),
  memory: tried('nothing leaks', 'a soak test of 2,000 renders', memory),
};
