// The facts of a site's pages: stored ones, and those that are read now. A page is fetched once, however many ask for it, and a
// site is asked for a few pages a minute only.
import type { Limits } from '../access/limits.ts';
import type { Egress } from '../egress/egress-types.ts';
import { createAccountSlots } from '../kernel/account-slots.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import type { Site, SitePage, SiteStore } from '../store/sites.ts';
import { isSameSite } from './origin.ts';
import { fetchMs, htmlTypes, pageBytes } from './ownership.ts';
import { noFacts, type PageFacts } from './page-facts.ts';
import type { PageReader } from './reading/reader.ts';

const pagesAMinute = 60;
const mostPages = 5000;
const hourMs = 60 * 60 * 1000;
const freshMs = 24 * hourMs;
/** A page that is missing or cannot be read is not fetched again for so long. */
const againMs = 60_000;
/** After so long without a proof of ownership, nothing is fetched. */
const lostMs = 7 * 24 * hourMs;
const redirects = 3;
/** Pages that are fetched at once, of one account and of all. */
const ofAccount = 4;
const ofAll = 32;

/** `failed`: it may work later. `busy`: too many pages of the site were fetched in this minute. */
export type ReadOutcome = 'read' | 'missing' | 'failed' | 'busy';
type FetchOutcome = Exclude<ReadOutcome, 'busy'>;

export type KnownPage = { readonly facts: PageFacts; readonly cardKey: string | null };

export type SitePages = {
  /** What is known, or what is read within `waitMs`. A page that was read a day ago is read again in the background. */
  find(site: Site, path: string, waitMs: number): Promise<KnownPage | undefined>;
  /** What is stored. */
  stored(site: Site, path: string): Promise<KnownPage | undefined>;
  /** Reads the page now. Throws 429 if too many were read in this minute. */
  refresh(site: Site, path: string): Promise<{ readonly outcome: Promise<ReadOutcome> }>;
  /** Throws 429 if too many pages of the site were fetched in this minute. */
  takeFetch(site: Site): Promise<void>;
};

type Dependencies = {
  readonly store: SiteStore;
  readonly egress: Pick<Egress, 'fetchPage'>;
  readonly reader: Pick<PageReader, 'page'>;
  readonly limits: Pick<Limits, 'take'>;
  /** Called after each fetch. */
  readonly pageRead?: ((outcome: FetchOutcome) => void) | undefined;
  readonly log: Log;
  readonly clock: () => number;
};

export const isLost = ({ lostAt }: Site, now: number): boolean => lostAt !== null && now - lostAt > lostMs;

export function createSitePages({ store, egress, reader, limits, pageRead, log, clock }: Dependencies): SitePages {
  const flights = new Map<string, Promise<ReadOutcome>>();
  const inVain = new BoundedMap<string, number>(20_000);
  const inSlot = createAccountSlots(ofAccount, { ofAll });
  const idOf = (site: Site, path: string) => `${site.id} ${path}`;

  async function fetchAndStore(site: Site, path: string): Promise<FetchOutcome> {
    const deadline = new Deadline(fetchMs, 'The page');
    try {
      return await inSlot(site.accountId, deadline, async () => {
        const answer = await egress.fetchPage(
          {
            url: site.origin + path,
            bytes: pageBytes,
            redirects,
            mayFollow: (url) => isSameSite(url, site.origin),
            types: htmlTypes,
          },
          deadline.signal,
        );
        if (answer.status === undefined) return 'failed';
        if (answer.status === 404 || answer.status === 410) return 'missing';
        if (answer.status !== 200 || answer.body.length === 0) return 'failed';
        const { body: bytes, type, url } = answer;
        const page = await reader.page(site.accountId, { bytes, type, url, names: [site.name] }, deadline);
        if (page === undefined || page.facts.title === '') return 'failed';
        await store.putPage(site.id, { path, facts: JSON.stringify(page.facts), readAt: clock() }, mostPages);
        return 'read';
      });
    } catch (error) {
      if (!(error instanceof Problem)) log.warn({ err: error, site: site.id }, 'a page of a site could not be read');
      return 'failed';
    } finally {
      deadline.done();
    }
  }

  function read(site: Site, path: string): Promise<ReadOutcome> {
    const id = idOf(site, path);
    const reading = fetchAndStore(site, path)
      .then(async (outcome): Promise<ReadOutcome> => {
        pageRead?.(outcome);
        if (outcome === 'read') inVain.delete(id);
        else inVain.set(id, clock() + againMs);
        // A page that is gone has no card any more; one that cannot be read now keeps its last one.
        if (outcome === 'missing') await store.removePage(site.id, path);
        return outcome;
      })
      .catch((): ReadOutcome => 'failed')
      .finally(() => flights.delete(id));
    flights.set(id, reading);
    return reading;
  }

  async function readOnce(site: Site, path: string): Promise<ReadOutcome> {
    const id = idOf(site, path);
    if ((inVain.get(id) ?? 0) > clock()) return 'failed';
    const flight = flights.get(id);
    if (flight !== undefined) return flight;
    const allowed = await limits.take(`site:${site.id}`, pagesAMinute);
    // Another request may have begun it meanwhile.
    return flights.get(id) ?? (allowed.ok ? read(site, path) : 'busy');
  }

  const stored = async (site: Site, path: string): Promise<KnownPage | undefined> => {
    const page = await store.page(site.id, path);
    return page && known(page);
  };

  async function takeFetch(site: Site): Promise<void> {
    const { ok, retryAfter } = await limits.take(`site:${site.id}`, pagesAMinute);
    if (!ok)
      throw new Problem('rate_limited', {
        retryAfter,
        message: `${pagesAMinute} pages of a site are fetched a minute. Try again in ${retryAfter} s.`,
      });
  }

  return {
    stored,
    takeFetch,
    async find(site, path, waitMs) {
      const page = await store.page(site.id, path);
      if (isLost(site, clock())) return page && known(page);
      if (page !== undefined) {
        // The stored page is the answer; a failure, such as Redis being away, only means that it is read later.
        if (clock() - page.readAt > freshMs)
          readOnce(site, path).catch((error) =>
            log.debug({ err: error, site: site.id }, 'a page is not read again now'),
          );
        return known(page);
      }
      const patience = new Deadline(waitMs);
      try {
        if ((await patience.race(readOnce(site, path))) !== 'read') return undefined;
      } catch {
        // The page is still read in the background, for the next request.
        return undefined;
      } finally {
        patience.done();
      }
      return stored(site, path);
    },
    async refresh(site, path) {
      const id = idOf(site, path);
      // What a flight reads may be older than the wish to refresh, so another one follows it.
      const flight = flights.get(id);
      await takeFetch(site);
      inVain.delete(id);
      return { outcome: (flight ?? Promise.resolve()).then(() => read(site, path)) };
    },
  };
}

const known = ({ facts, cardKey }: SitePage): KnownPage => ({ facts: { ...noFacts, ...JSON.parse(facts) }, cardKey });
