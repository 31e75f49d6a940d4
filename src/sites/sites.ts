// Sites whose pages get cards: registered by an account, proved to be its own, read page by page, painted like any card.
import type { Limits } from '../access/limits.ts';
import type { CatalogueEntry } from '../cards/card-types.ts';
import type { Egress } from '../egress/egress-types.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import type { PlanName } from '../kernel/plans.ts';
import { newRequestId } from '../kernel/request-id.ts';
import type { Renderer } from '../render/render.ts';
import { type UsageRecord, usageRecord } from '../render/usage-record.ts';
import { storedParameters } from '../render/usage-texts.ts';
import type { Validate } from '../render/validate.ts';
import { checkOgPlan } from '../render/validate-card.ts';
import { randomText } from '../store/identifiers.ts';
import type { Site, SiteOwner, SiteStore } from '../store/sites.ts';
import { type OwnTemplates, ownPrefix } from '../templates/own-templates.ts';
import { createSiteCards, type SiteCard } from './cards.ts';
import type { TemplateVariables } from './mapping.ts';
import { pagePath, readOrigin } from './origin.ts';
import { checkOwnership, fetchMs, type OwnershipCheck } from './ownership.ts';
import { createSitePages } from './pages.ts';
import { previewPaths } from './preview.ts';
import { createPageReader } from './reading/reader.ts';
import { type GivenSettings, readSettings } from './settings.ts';

export const mostSites = 25;
const checksAMinute = 10;
const dayMs = 24 * 60 * 60 * 1000;
/** The ownership is checked once a week, and once a day while the proof is missing. */
const checkEveryMs = 7 * dayMs;
const checkLostEveryMs = dayMs;
const upkeepEveryMs = 60 * 60 * 1000;
const checksAtOnce = 20;

export type Sites = {
  /** Throws 403, 400 or 409. */
  register(owner: SiteOwner, origin: unknown): Promise<Site>;
  list(accountId: string): Promise<Site[]>;
  /** Throws 404 for another account's site, too. */
  own(accountId: string, id: string): Promise<Site>;
  change(owner: SiteOwner, id: string, settings: GivenSettings): Promise<Site>;
  check(owner: SiteOwner, id: string): Promise<{ site: Site; check: OwnershipCheck }>;
  remove(accountId: string, id: string): Promise<void>;
  countPages(siteId: string): Promise<number>;
  /** Paths of some pages. */
  preview(accountId: string, id: string): Promise<string[]>;
  /** The card of a page with settings that are not saved. Throws 400 for a wrong one. */
  sample(owner: SiteOwner, id: string, path: unknown, settings: GivenSettings): Promise<SiteCard>;
  /** Reads the page and paints its card anew, behind. Returns the path. Throws 404 or 429. */
  refresh(owner: SiteOwner, id: string, path: unknown): Promise<string>;
  /** The site that anybody may ask for cards. Throws 404, or 403 if the owner's plan has no cards. */
  open(id: string): Promise<{ site: Site; owner: SiteOwner }>;
  card(site: Site, owner: SiteOwner, rawPath: string): Promise<SiteCard>;
  /** Checks the ownership of sites whose turn it is. */
  upkeep(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

type Dependencies = {
  readonly store: SiteStore;
  readonly egress: Pick<Egress, 'check' | 'fetchPage' | 'textRecords'>;
  readonly limits: Pick<Limits, 'take'>;
  readonly validate: Validate;
  readonly renderer: Pick<Renderer, 'start' | 'stored'>;
  /** As it is now: a file of TEMPLATES_DIR may change. */
  readonly catalogue: () => readonly CatalogueEntry[];
  readonly ownTemplates: Pick<OwnTemplates, 'find'>;
  readonly record: (record: UsageRecord) => void;
  /** Called after each fetch of a page. */
  readonly pageRead?: (outcome: 'read' | 'missing' | 'failed') => void;
  /** In a cluster: is it this machine's turn to do something that one machine does every `ms`? */
  readonly isTurn?: ((name: string, ms: number) => Promise<boolean>) | undefined;
  readonly log: Log;
  readonly clock?: () => number;
};

export function createSites(dependencies: Dependencies): Sites {
  const { store, egress, limits, validate, catalogue, ownTemplates, pageRead, isTurn, log } = dependencies;
  const { record, clock = Date.now } = dependencies;
  const reader = createPageReader();
  const pages = createSitePages({ store, egress, reader, limits, pageRead, log, clock });
  const variablesOf = async (accountId: string, template: string): Promise<TemplateVariables> => {
    if (template.startsWith(ownPrefix)) return (await ownTemplates.find(accountId, template)).html.variables;
    const entry = catalogue().find(({ name }) => name === template);
    if (entry === undefined) throw new Problem('template_not_found', { parameter: 'template' });
    return entry.variables;
  };
  const cards = createSiteCards({ ...dependencies, pages, variablesOf });
  let timer: NodeJS.Timeout | undefined;

  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: Error) => {
      const isExpected = error instanceof Problem;
      log[isExpected ? 'debug' : 'warn']({ reason: error.message }, 'work for a site failed');
    });

  async function own(accountId: string, id: string): Promise<Site> {
    const found = await store.find(id);
    if (found === undefined || found.site.accountId !== accountId) throw noSuchSite();
    return found.site;
  }

  async function ownVerified(accountId: string, id: string): Promise<Site> {
    const site = await own(accountId, id);
    if (site.verifiedAt === null) throw notVerified();
    return site;
  }

  /** The site's own card is made of its home page. */
  async function prepare(site: Site, owner: SiteOwner): Promise<void> {
    await pages.find(site, '/', fetchMs);
    await cards.prepare(site, owner);
  }

  async function checkNow(site: Site): Promise<{ site: Site; check: OwnershipCheck }> {
    const check = await checkOwnership(site, { egress, reader });
    await store.noteCheck(site, check.by, clock());
    return { site: (await store.find(site.id))?.site ?? site, check };
  }

  return {
    async register(owner, given) {
      checkPlan(owner.plan);
      const origin = readOrigin(given, egress);
      const at = clock();
      const site: Site = {
        ...{ id: `site_${randomText(20)}`, accountId: owner.id, origin, token: randomText(32) },
        ...{ name: '', description: '', template: 'blog-post', values: {}, mapping: {} },
        ...{ createdAt: at, changedAt: at, verifiedAt: null, verifiedBy: null, checkedAt: null, lostAt: null },
      };
      if (await store.create(site, mostSites)) return site;
      const isOwned = (await store.list(owner.id)).some((each) => each.origin === origin);
      const message = isOwned
        ? `${origin} is registered already.`
        : `The account has ${mostSites} sites, which is the limit. Remove one first.`;
      throw new Problem('conflict', { parameter: 'origin', message });
    },
    list: store.list,
    own,
    async change(owner, id, given) {
      const site = await own(owner.id, id);
      checkPlan(owner.plan);
      const settings = await readSettings(given, site, owner, validate);
      const at = clock();
      await store.change(owner.id, id, settings, at);
      const changed = { ...site, ...settings, changedAt: at };
      if (site.verifiedAt !== null) quietly(cards.prepare(changed, owner));
      return changed;
    },
    async check(owner, id) {
      const site = await own(owner.id, id);
      const { ok, retryAfter } = await limits.take(`site-check:${id}`, checksAMinute);
      if (!ok)
        throw new Problem('rate_limited', {
          retryAfter,
          message: `A site is checked at most ${checksAMinute} times a minute. Try again in ${retryAfter} s.`,
        });
      const checked = await checkNow(site);
      if (checked.check.by !== undefined) quietly(prepare(checked.site, owner));
      return checked;
    },
    async remove(accountId, id) {
      if (!(await store.remove(accountId, id))) throw noSuchSite();
    },
    countPages: store.countPages,
    async preview(accountId, id) {
      const site = await ownVerified(accountId, id);
      await pages.takeFetch(site);
      return previewPaths(site, { egress, reader });
    },
    async sample(owner, id, given, settings) {
      const site = await ownVerified(owner.id, id);
      checkPlan(owner.plan);
      const path = readPath(given);
      const draft = { ...site, ...(await readSettings(settings, site, owner, validate)) };
      const card = await cards.card(draft, owner, path, true);
      if (card.result.cache === 'MISS') record(sampleRecord(card, draft, owner, newRequestId()));
      return card;
    },
    async refresh(owner, id, given) {
      const site = await ownVerified(owner.id, id);
      checkPlan(owner.plan);
      const path = readPath(given);
      const { outcome } = await pages.refresh(site, path);
      quietly(outcome.then((read) => (read === 'read' ? cards.repaint(site, owner, path) : undefined)));
      return path;
    },
    async open(id) {
      const found = await store.find(id);
      if (found === undefined || found.owner.disabled) throw noSuchSite();
      if (found.site.verifiedAt === null) throw notVerified();
      checkPlan(found.owner.plan);
      return found;
    },
    card: (site, owner, rawPath) => cards.card(site, owner, pagePath(rawPath)),
    async upkeep() {
      const now = clock();
      for (const site of await store.due(now - checkEveryMs, now - checkLostEveryMs, checksAtOnce))
        await checkNow(site);
    },
    start() {
      const turn = async () => {
        if (await (isTurn?.('site-upkeep', upkeepEveryMs) ?? true)) await this.upkeep();
      };
      timer = setInterval(() => quietly(turn()), upkeepEveryMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await reader.stop();
    },
  };
}

// The same error for another account's site and for one that never existed.
const noSuchSite = () => new Problem('not_found', { message: 'There is no such site.' });
const notVerified = () =>
  new Problem('not_found', {
    message: 'The ownership of this site is not proved yet. Its owner can prove it in the dashboard, under Sites.',
  });

function readPath(given: unknown): string {
  if (typeof given === 'string' && given.startsWith('/')) return pagePath(given);
  throw new Problem(given === undefined ? 'missing_parameter' : 'invalid_parameter', {
    parameter: 'path',
    message: 'path must be the path of a page of the site, such as /blog/hello.',
  });
}

const sampleRecord = (
  { result }: SiteCard,
  { id: siteId, template }: Site,
  account: SiteOwner,
  id: string,
): UsageRecord =>
  usageRecord({
    ...{ id, requester: { account, signed: true, siteId }, endpoint: 'og', outcome: result },
    parameters: storedParameters(new Map([['template', template]])),
    totalMs: result.meta.renderTime,
  });

const checkPlan = (plan: PlanName): void => checkOgPlan(plan, 'Site cards', 'account');
