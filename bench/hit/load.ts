// The load, a process of its own on bare sockets: it must neither share a server's event loop nor be what is measured.
import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { quantile } from '../measure.ts';

export type Load = { rate: number; count: number; p50: number; p99: number; failed: number };
type Job = {
  urls: string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** So many requests a second over all connections, whether or not the answers keep up; else as many as go. */
  perSecond?: number | undefined;
};

export async function startLoad(connections: number) {
  const child = fork(import.meta.filename, ['load']);
  return {
    run: (urls: string[], headers: Record<string, string>, seconds: number, perSecond?: number) =>
      new Promise<Load>((done) => {
        child.once('message', (answer) => done(answer as Load));
        child.send({ urls, headers, connections, seconds, perSecond } satisfies Job);
      }),
    close: () => void child.kill(),
  };
}

if (process.argv[1] === import.meta.filename && process.argv[2] === 'load')
  process.on('message', async (job: Job) => process.send?.(await drive(job)));

async function drive({ urls, headers, connections, seconds, perSecond }: Job): Promise<Load> {
  const { hostname, port } = new URL(urls[0] ?? '');
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const wire = urls.map((url) => {
    const { pathname, search } = new URL(url);
    return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${extra.join('')}\r\n`);
  });
  const times: number[] = [];
  const tally = { failed: 0, next: 0 };
  const started = performance.now();
  const until = started + seconds * 1000;
  const everyMs = perSecond === undefined ? 0 : (connections / perSecond) * 1000;
  await Promise.all(
    Array.from({ length: connections }, (_, i) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const pace = { everyMs, dueAt: started + (everyMs * i) / connections };
      return askUntil(socket, until, pace, () => wire[tally.next++ % wire.length] ?? Buffer.alloc(0), times, tally);
    }),
  );
  const took = (performance.now() - started) / 1000;
  return {
    rate: times.length / took,
    count: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failed: tally.failed,
  };
}

/**
 * One connection: a request, its whole answer, the next request when it is due. It is timed from when it was due: a
 * server that is late with one answer is late with those behind it, too.
 */
function askUntil(
  socket: Socket,
  until: number,
  pace: { everyMs: number; dueAt: number },
  next: () => Buffer,
  times: number[],
  tally: { failed: number },
): Promise<void> {
  return new Promise((done) => {
    let started = 0;
    let head = '';
    let left = -1;
    const ask = () => {
      if (performance.now() >= until) {
        socket.destroy();
        return done();
      }
      head = '';
      left = -1;
      started = pace.everyMs > 0 ? Math.min(pace.dueAt, performance.now()) : performance.now();
      pace.dueAt += pace.everyMs;
      socket.write(next());
    };
    const askWhenDue = () => {
      const early = pace.everyMs > 0 ? pace.dueAt - performance.now() : 0;
      if (early < 0.5) ask();
      else setTimeout(ask, early);
    };
    socket.on('connect', askWhenDue);
    socket.on('error', () => {
      tally.failed++;
      done();
    });
    socket.on('data', (chunk) => {
      if (left >= 0) left -= chunk.length;
      else {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const status = head.slice(9, 12);
        if (status !== '200' && status !== '304') tally.failed++;
        const length = status === '304' ? 0 : Number(/content-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0);
        left = length - (head.length - end - 4);
      }
      if (left > 0) return;
      times.push(performance.now() - started);
      askWhenDue();
    });
  });
}
