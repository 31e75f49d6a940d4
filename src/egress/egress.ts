// Egress: every outgoing connection for a request is made here.
import type { Log } from '../kernel/log.ts';
import { systemResolver, systemTextRecords } from './dns.ts';
import type { Egress, EgressPolicy, Outlet, Resolver, TextRecordResolver } from './egress-types.ts';
import type { ImageFetcher } from './fetch.ts';
import { createGuard } from './guard.ts';
import { createNameCache } from './name-cache.ts';
import { createOutlet } from './proxy.ts';
import { checkTarget, resolveTarget } from './target.ts';

// Long enough for the check of a target and the first connections of its page, short enough for changes in DNS.
const keepNamesMs = 3000;

type Options = EgressPolicy & { resolver?: Resolver; textRecords?: TextRecordResolver; log?: Log };

export function createEgress(options: Options): Egress {
  const ownPorts = new Set<number>();
  const outlets = new Set<Outlet>();
  const names = createNameCache(options.resolver ?? systemResolver(), keepNamesMs);
  const guard = createGuard(options.allowPrivate, names, ownPorts);
  let loading: Promise<ImageFetcher> | undefined;
  /** Loaded for the first image: its HTTP client takes a tenth of a second. */
  const images = () => {
    loading ??= import('./fetch.ts').then(({ createImageFetcher }) => createImageFetcher(guard));
    return loading;
  };
  if (options.allowPrivate.length > 0)
    options.log?.warn({ networks: options.allowPrivate }, 'ALLOW_PRIVATE_TARGETS: these networks may be captured');

  return {
    check: (url, parameter) => checkTarget(url, guard, parameter),
    resolve: (url, signal) => resolveTarget(url, guard, signal),
    async createOutlet() {
      const outlet = await createOutlet(guard, ownPorts, (closed) => outlets.delete(closed));
      outlets.add(outlet);
      return outlet;
    },
    protectPort: (port) => void ownPorts.add(port),
    fetchImage: async (...request) => (await images()).fetchImage(...request),
    // Loaded for the first one, for the same reason.
    fetchPage: async (...request) => (await import('./pages.ts')).fetchPage(guard, ...request),
    async textRecords(host) {
      try {
        return await (options.textRecords ?? systemTextRecords())(host);
      } catch {
        return [];
      }
    },
    post: async (...request) => (await import('./post.ts')).post(guard, ...request),
    async stop() {
      await Promise.all([loading?.then((fetcher) => fetcher.stop()), ...[...outlets].map((outlet) => outlet.close())]);
    },
  };
}
