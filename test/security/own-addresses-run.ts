// Runs inside a network namespace of its own (unshare -n). Prints what came of each try as one line of JSON.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createEgress } from '../../src/egress/egress.ts';
import type { Egress } from '../../src/egress/egress-types.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { Problem } from '../../src/kernel/errors.ts';
import { plenty } from './proxy-budget.ts';

const ip = (line: string) => execFileSync('ip', line.split(' '));
ip('link set lo up');
ip('addr add 93.184.216.34/32 dev lo');
ip('addr add 2606:4700::1111/128 dev lo nodad');

let reached = 0;
const server = createServer((_request, response) => {
  reached += 1;
  response.end('for neighbours only');
});
server.listen(0, '::');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

const resolver = async () => ['93.184.216.34'];
const guard = createEgress({ allowPrivate: [], resolver });
const allowing = createEgress({ allowPrivate: ['93.184.216.34/32'], resolver });

/** Asks for the target as a request does, and then as a page would: through an outlet. */
async function attempt(egress: Egress, host: string): Promise<unknown> {
  const before = reached;
  const url = `http://${host}:${port}/`;
  const signal = AbortSignal.timeout(5000);
  const resolved = await Promise.try(() => egress.resolve(egress.check(url), signal)).then(
    () => 'ok',
    (error) => (error instanceof Problem ? error.code : String(error)),
  );
  const outlet = await egress.createOutlet();
  outlet.open(plenty, signal);
  const socket = connect(outlet.port, '127.0.0.1');
  socket.write(`GET ${url} HTTP/1.1\r\n\r\n`);
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
    if (said.includes('neighbours')) socket.destroy();
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  await outlet.close();
  return { resolved, reached: reached - before, served: said.includes('neighbours') };
}

const report: Record<string, unknown> = {
  'public address': await attempt(guard, '93.184.216.34'),
  'name of a public address': await attempt(guard, 'public.fixture.test'),
  'IPv6 address': await attempt(guard, '[2606:4700::1111]'),
};
ip('addr add 93.184.216.35/32 dev lo');
await sleep(1100);
report['address that came later'] = await attempt(guard, '93.184.216.35');
report['named by the operator'] = await attempt(allowing, '93.184.216.34');
allowing.protectPort(port);
report['our own port, named by the operator'] = await attempt(allowing, '93.184.216.34');
process.stdout.write(JSON.stringify(report));
process.exit(0);
