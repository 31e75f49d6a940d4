// Egress: every outgoing connection for a request is made here.
import type { Log } from '../kernel/log.ts';
import { systemResolver } from './dns.ts';
import type { Egress, EgressPolicy, Outlet, Resolver } from './egress-types.ts';
import { createImageFetcher } from './fetch.ts';
import { createGuard } from './guard.ts';
import { createNameCache } from './name-cache.ts';
import { createOutlet } from './proxy.ts';
import { checkTarget, resolveTarget } from './target.ts';

// Long enough for the check of a target and the first connections of its page, short enough for changes in DNS.
const keepNamesMs = 3000;

export function createEgress(options: EgressPolicy & { resolver?: Resolver; log?: Log }): Egress {
  const ownPorts = new Set<number>();
  const outlets = new Set<Outlet>();
  const names = createNameCache(options.resolver ?? systemResolver(), keepNamesMs);
  const guard = createGuard(options.allowPrivate, names, ownPorts);
  const images = createImageFetcher(guard);
  if (options.allowPrivate.length > 0)
    options.log?.warn({ networks: options.allowPrivate }, 'ALLOW_PRIVATE_TARGETS: these networks may be captured');

  return {
    check: (url) => checkTarget(url, guard),
    resolve: (url, signal) => resolveTarget(url, guard, signal),
    async createOutlet() {
      const outlet = await createOutlet(guard, ownPorts, (closed) => outlets.delete(closed));
      outlets.add(outlet);
      return outlet;
    },
    protectPort: (port) => void ownPorts.add(port),
    fetchImage: images.fetchImage,
    async stop() {
      await Promise.all([images.stop(), ...[...outlets].map((outlet) => outlet.close())]);
    },
  };
}
