// The card of one page of a site, within the time that readers of links wait: the page's, or the last good one, or the site's own.

import { cardTimeoutMs } from '../cards/cards.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { newRequestId } from '../kernel/request-id.ts';
import type { Execution, Renderer } from '../render/render.ts';
import type { Result } from '../render/result.ts';
import { type UsageRecord, usageRecord } from '../render/usage-record.ts';
import { storedParameters } from '../render/usage-texts.ts';
import type { Validate } from '../render/validate.ts';
import type { Requester, ValidatedRequest } from '../render/validated-request.ts';
import type { Site, SiteOwner, SiteStore } from '../store/sites.ts';
import { cardValues, type TemplateVariables } from './mapping.ts';
import { noFacts, type PageFacts } from './page-facts.ts';
import type { KnownPage, SitePages } from './pages.ts';

/** Facebook waits five seconds. By then (in ms) each step has ended, and the next one begins. */
const until = { page: 2400, withImages: 3300, pageCard: 4000, siteCard: 4500 };
/** How long caches may keep a card, and one that stands in for another. */
const keepMs = 60 * 60 * 1000;
const keepInsteadMs = 60_000;
/** An image that cannot be painted is left out for so long. */
const brokenMs = 10 * 60_000;
const mostTries = 8;
const spareTemplate = 'default';

export type SiteCard = {
  readonly result: Result;
  /** About the request; those of the result come with it. */
  readonly warnings: readonly string[];
  /** What the card shows: the page, or the site in its place. */
  readonly shows: 'page' | 'site';
  readonly freshForMs: number;
};

export type SiteCards = {
  /** Throws only if not even the site's own card can be painted. A draft has settings that are not saved. */
  card(site: Site, owner: SiteOwner, path: string, isDraft?: boolean): Promise<SiteCard>;
  /** Paints the site's own card in advance, so that it can stand in at once. */
  prepare(site: Site, owner: SiteOwner): Promise<void>;
  /** Paints the card of a page anew, in the background. */
  repaint(site: Site, owner: SiteOwner, path: string): Promise<void>;
};

type Dependencies = {
  readonly store: Pick<SiteStore, 'setCard'>;
  readonly pages: Pick<SitePages, 'find' | 'stored'>;
  readonly validate: Validate;
  readonly renderer: Pick<Renderer, 'start' | 'stored'>;
  /** Throws template_not_found. */
  readonly variablesOf: (accountId: string, template: string) => Promise<TemplateVariables>;
  readonly record: (record: UsageRecord) => void;
};

/** Milliseconds until the request is so old, and the age at which this step ends. */
type PaintClock = { readonly left: (ms: number) => number; readonly end: number };

type Painted = Pick<SiteCard, 'result' | 'warnings'> & { readonly isWhole: boolean };

export function createSiteCards({ store, pages, validate, renderer, variablesOf, record }: Dependencies): SiteCards {
  /** Until when the image of an address is left out of the cards of an account: no account decides about the images of others. */
  const broken = new BoundedMap<string, number>(5000);
  const brokenName = (accountId: string, value: string) => `${accountId} ${value}`;
  const isBroken = (accountId: string, value: string) =>
    (broken.get(brokenName(accountId, value)) ?? 0) > performance.now();

  const valuesOf = async (site: Site, facts: PageFacts, path: string): Promise<Map<string, string>> => {
    const variables = await variablesOf(site.accountId, site.template);
    return cardValues(site, facts, path, variables).set('template', site.template);
  };

  async function siteFacts(site: Site): Promise<PageFacts> {
    const home = (await pages.stored(site, '/'))?.facts ?? noFacts;
    const { host } = new URL(site.origin);
    const title = site.name || home.siteName || home.title || host;
    return { ...noFacts, title, description: site.description || home.description, image: home.image, siteName: host };
  }

  /** Validates without the values that are refused, such as an image at a private address. */
  async function validated(
    values: Map<string, string>,
    requester: Requester,
  ): Promise<{ request: ValidatedRequest; isWhole: boolean }> {
    for (let left = mostTries, isWhole = true; ; left--)
      try {
        return { request: await validate('og', values, requester), isWhole };
      } catch (error) {
        if (left === 0 || !dropNamed(values, error, requester)) throw error;
        isWhole = false;
      }
  }

  /** Removes the value that the error is about. */
  function dropNamed(values: Map<string, string>, error: unknown, { account }: Requester): boolean {
    const name = error instanceof Problem && error.status === 400 ? error.parameter : undefined;
    const value = name === undefined || name === 'template' ? undefined : values.get(name);
    if (name === undefined || value === undefined) return false;
    if (isUrl(value)) broken.set(brokenName(account.id, value), performance.now() + brokenMs);
    return values.delete(name);
  }

  /** Paints the card; where an image is broken or slow, without it. A slow one is painted in the background, for the next request. */
  async function paint(given: ReadonlyMap<string, string>, requester: Requester, clock: PaintClock): Promise<Painted> {
    const values = new Map([...given].filter(([, value]) => !isBroken(requester.account.id, value)));
    let isWhole = values.size === given.size;
    for (let tries = mostTries; ; tries--) {
      const checked = await validated(values, requester);
      isWhole &&= checked.isWhole;
      const hasImages = [...values.values()].some(isUrl);
      const execution = renderer.start(checked.request, new Deadline(cardTimeoutMs));
      const patience = new Deadline(clock.left(hasImages ? Math.min(until.withImages, clock.end) : clock.end));
      try {
        return { result: await patience.race(execution.result), warnings: checked.request.warnings, isWhole };
      } catch (error) {
        const isLate = patience.remaining() === 0;
        if (isLate) goOnInBackground(execution, checked.request, values);
        if (isLate && !hasImages) throw error;
        if (tries === 0 || !(isLate ? dropImages(values) : dropNamed(values, error, requester))) throw error;
        isWhole = false;
      } finally {
        patience.done();
      }
    }
  }

  /** A render that no request reports: its usage is noted here. */
  function note(outcome: Result | Problem, requester: Requester, values: ReadonlyMap<string, string>): void {
    const parameters = storedParameters(values);
    const totalMs = outcome instanceof Problem ? 0 : outcome.meta.renderTime;
    record(usageRecord({ id: newRequestId(), requester, endpoint: 'og', parameters, outcome, totalMs }));
  }

  /** The render goes on and is stored; only its usage is left to note, and which image is broken. */
  function goOnInBackground(
    execution: Execution,
    { requester }: ValidatedRequest,
    values: ReadonlyMap<string, string>,
  ): void {
    const given = new Map(values);
    execution.result.then(
      (result) => note(result, requester, given),
      (error: unknown) => {
        dropNamed(given, error, requester);
        if (error instanceof Problem) note(error, requester, given);
      },
    );
  }

  /** Where the owner has removed the template, with one that is always there. */
  async function paintSite(site: Site, requester: Requester, clock: PaintClock): Promise<Painted> {
    const facts = await siteFacts(site);
    try {
      return await paint(await valuesOf(site, facts, '/'), requester, clock);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'template_not_found') throw error;
      return paint(await valuesOf({ ...site, template: spareTemplate }, facts, '/'), requester, clock);
    }
  }

  /** Notes the page's last good card, which stands in if the next one cannot be painted. */
  async function noteCard(site: Site, path: string, page: KnownPage, result: Result): Promise<void> {
    if (result.stored && page.cardKey !== result.key) await store.setCard(site.id, path, result.key).catch(() => {});
  }

  return {
    async card(site, owner, path, isDraft = false) {
      const startedAt = performance.now();
      const left = (ms: number) => Math.max(0, startedAt + ms - performance.now());
      const requester = requesterOf(site, owner);
      const page = await pages.find(site, path, until.page);
      if (page !== undefined)
        try {
          const painted = await paint(await valuesOf(site, page.facts, path), requester, { left, end: until.pageCard });
          if (!isDraft) await noteCard(site, path, page, painted.result);
          return { ...painted, shows: 'page', freshForMs: keepFor(painted) };
        } catch (error) {
          const last = page.cardKey === null ? undefined : await renderer.stored(page.cardKey).catch(() => undefined);
          if (last !== undefined) return { result: last, warnings: [], shows: 'page', freshForMs: keepInsteadMs };
          if (!(error instanceof Problem)) throw error;
        }
      const painted = await paintSite(site, requester, { left, end: until.siteCard });
      return { ...painted, shows: 'site', freshForMs: keepInsteadMs };
    },

    async prepare(site, owner) {
      const requester = requesterOf(site, owner);
      const { result } = await paintSite(site, requester, { left: () => cardTimeoutMs, end: cardTimeoutMs });
      if (result.cache === 'MISS') note(result, requester, new Map([['template', site.template]]));
    },

    async repaint(site, owner, path) {
      const page = await pages.stored(site, path);
      if (page === undefined) return;
      for (const value of Object.values(page.facts)) broken.delete(brokenName(owner.id, value));
      const values = (await valuesOf(site, page.facts, path)).set('fresh', 'true');
      const { request } = await validated(values, requesterOf(site, owner));
      const recordAs = { id: newRequestId(), parameters: storedParameters(values) };
      const result = await renderer.start(request, new Deadline(cardTimeoutMs), recordAs).result;
      await noteCard(site, path, page, result);
    },
  };
}

const requesterOf = (site: Site, owner: SiteOwner): Requester => ({ account: owner, signed: true, siteId: site.id });

const isUrl = (value: string): boolean => /^https:\/\//i.test(value);

function dropImages(values: Map<string, string>): boolean {
  const size = values.size;
  for (const [name, value] of values) if (isUrl(value)) values.delete(name);
  return values.size < size;
}

const keepFor = ({ result, isWhole }: Painted): number =>
  isWhole && result.stale === undefined ? Math.min(keepMs, result.freshForMs) : keepInsteadMs;
