// The proxy on loopback through which the browser makes all its connections. Each slot has its own listener, so that the
// connections of a render are counted and closed together. Before and after its render it closes every connection.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Outlet } from './egress-types.ts';
import type { EgressGuard } from './guard.ts';
import { Meter } from './meter.ts';
import { ProxyConnection } from './proxy-connection.ts';

/** Adds the listener's port to `ownPorts`: no page may connect to a proxy. */
export async function createOutlet(
  guard: EgressGuard,
  ownPorts: Set<number>,
  onClose: (outlet: Outlet) => void,
): Promise<Outlet> {
  let meter: Meter | undefined;
  const server = createServer({ noDelay: true }, (client) => {
    if (meter === undefined || meter.isOver) client.destroy();
    else new ProxyConnection(client, meter, guard);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  ownPorts.add(port);

  const outlet: Outlet = {
    port,
    open(budget, signal) {
      if (meter !== undefined) throw new Error('An outlet serves one render.');
      meter = new Meter(budget, signal);
    },
    get refusals() {
      return meter?.refusals ?? [];
    },
    get failures() {
      return meter?.failures ?? [];
    },
    get exhausted() {
      return meter?.exhausted;
    },
    get activeAt() {
      return meter?.activeAt ?? 0;
    },
    get unanswered() {
      return meter?.unanswered ?? 0;
    },
    get counts() {
      return meter?.counts ?? { requests: 0, connections: 0, bytes: 0, sentBytes: 0 };
    },
    async close() {
      meter?.cut();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      onClose(outlet);
      await closed;
      ownPorts.delete(port);
    },
  };
  return outlet;
}
