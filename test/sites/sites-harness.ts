// A service, and a website whose pages get cards.
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenStore } from '../../src/store/open.ts';
import type { Site } from '../../src/store/sites.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { hosts, startWebsite, trustWebsites, type Website } from './website.ts';

export type SitesHarness = {
  readonly service: Service;
  readonly store: OpenStore;
  readonly website: Website;
  /** The TXT records of every host. */
  readonly records: Map<string, string[]>;
  /** A verified site of this customer, on an origin of its own unless one is given. */
  verifiedSite(customer: Customer, settings?: Partial<Site>): Promise<Site>;
  card(site: Pick<Site, 'id'>, path: string, headers?: Record<string, string>): Promise<Response>;
  /** The card of the page itself: on a busy machine the first responses may stand in for it. */
  pageCard(site: Pick<Site, 'id'>, path: string): Promise<Response>;
  close(): Promise<void>;
};

let sites = 0;

export async function openSitesHarness(): Promise<SitesHarness> {
  const distrust = trustWebsites();
  const website = await startWebsite();
  const records = new Map<string, string[]>();
  const resolver = async (host: string) =>
    host === 'private.test' ? ['10.0.0.1'] : (hosts as readonly string[]).includes(host) ? ['127.0.0.1'] : [];
  const service = await startService({}, resolver, async (host) => records.get(host) ?? []);
  const store = service.store as OpenStore;
  const card: SitesHarness['card'] = ({ id }, path, headers = {}) =>
    service.get(`/v1/sites/${id}${path}`, undefined, headers);
  // The fonts are loaded with the first card.
  const { key } = await service.customer('pro');
  await service.get('/v1/og?template=blog-post&title=first', key);
  return {
    service,
    store,
    website,
    records,
    async verifiedSite({ account }, settings = {}) {
      const at = Date.now();
      const site: Site = {
        ...{ id: `site_test${++sites}`, accountId: account.id, origin: website.origin, token: 'token' },
        ...{ name: '', description: '', template: 'blog-post', values: {}, mapping: {}, createdAt: at, changedAt: at },
        ...{ verifiedAt: at, verifiedBy: 'file' as const, checkedAt: at, lostAt: null },
        ...settings,
      };
      await store.sites.create(site, 1000);
      return site;
    },
    card,
    async pageCard(site, path) {
      for (let tries = 20; ; tries--) {
        const response = await card(site, path);
        if (tries === 0 || (response.headers.get('x-card') === 'page' && response.status === 200)) return response;
        await sleep(500);
      }
    },
    async close() {
      await service.stop();
      website.close();
      distrust();
    },
  };
}
