// Cache entries as results: reading what is stored for a request, and storing what was rendered.
import type { Cache } from '../cache/cache.ts';
import { resultHash } from '../kernel/content-hash.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { ttlMs } from '../kernel/plans.ts';
import { type RenderOutput, type RenderTask, sourceParameter } from './executor.ts';
import { badCode, badKeyOf, badLifeMs, jobLinkMs, keptMs, staleForMs, staleWarning } from './freshness.ts';
import type { ResizedPicture } from './resize.ts';
import { type Meta, type Result, readMeta } from './result.ts';
import { withoutSecrets } from './stored-meta.ts';
import { subjectOfTask } from './subject.ts';
import type { ValidatedRequest } from './validated-request.ts';

type Entry = NonNullable<Awaited<ReturnType<Cache['find']>>>;

/** A smaller picture of a result. */
export type StoredVariant = ResizedPicture & Pick<Result, 'key' | 'hash'> & { readonly isStored: boolean };

export type StoredResults = {
  /** The good result: `young` if it is young enough for this request, or as a stale one. */
  good(request: ValidatedRequest): Promise<{
    young: Result | undefined;
    stale(code: string): Promise<Result | undefined>;
  }>;
  /** An error page, a blank page or a bot wall, captured within the last minute. */
  bad(request: ValidatedRequest): Promise<Result | undefined>;
  /** Good or bad, if it is young enough. */
  young(request: ValidatedRequest): Promise<Result | undefined>;
  /** By its key alone, whoever asks. */
  byKey(key: string): Promise<Result | undefined>;
  /**
   * Stores what was rendered. A result that cannot be stored is still a result, and so is one whose page or template had its
   * results removed since the render began, when `lastRemoval` was the last removal.
   */
  save(request: ValidatedRequest, output: RenderOutput, work: Deadline, lastRemoval: string): Promise<Result>;
  /** Changes when the account removes the results of this request's page or template. */
  lastRemoval(request: ValidatedRequest): Promise<string>;
  /** When the good result was rendered, if there is one. */
  createdAt(request: ValidatedRequest): Promise<number | undefined>;
  /** What is stored for this request and was made from this very original. */
  variant(request: ValidatedRequest, original: Result): Promise<StoredVariant | undefined>;
  /** Stores what was made from this original. It expires with it. */
  saveVariant(request: ValidatedRequest, original: Result, picture: ResizedPicture): Promise<StoredVariant>;
};

export function createStoredResults(cache: Cache): StoredResults {
  async function read(entry: Entry, lifeMs: number, freshForMs: number): Promise<Result | undefined> {
    const bytes = freshForMs > 0 ? await cache.read(entry) : undefined;
    if (bytes === undefined) return undefined;
    const { key, hash, type, createdAt } = entry;
    return {
      key,
      hash,
      type,
      bytes,
      meta: readMeta(entry.meta),
      cache: 'HIT',
      createdAt,
      cachedAt: createdAt,
      stored: true,
      freshForMs,
      expiresAt: createdAt + lifeMs,
      phases: {},
    };
  }

  function readYoung(
    entry: Entry | undefined,
    { plan, maxAgeMs }: ValidatedRequest,
  ): Promise<Result | undefined> | undefined {
    if (entry === undefined) return undefined;
    const lifeMs = Math.min(ttlMs(plan), entry.maxAgeMs ?? Number.POSITIVE_INFINITY);
    return read(entry, lifeMs, entry.createdAt + Math.min(lifeMs, maxAgeMs) - Date.now());
  }

  async function readStale(
    entry: Entry | undefined,
    { plan }: ValidatedRequest,
    code: string,
  ): Promise<Result | undefined> {
    if (entry === undefined || entry.maxAgeMs !== null || entry.createdAt + keptMs(plan) < Date.now()) return undefined;
    const result = await read(entry, ttlMs(plan), staleForMs);
    if (result === undefined) return undefined;
    const warnings = [...result.meta.warnings, staleWarning(result.createdAt, code)];
    return { ...result, meta: { ...result.meta, warnings }, stale: code };
  }

  const lastRemoval = ({ requester, task }: ValidatedRequest) =>
    cache.lastRemoval(requester.account.id, subjectOfTask(task));

  const bad = async (request: ValidatedRequest) => readYoung(await cache.find(badKeyOf(request.key)), request);

  return {
    async good(request) {
      const entry = await cache.find(request.key);
      return { young: await readYoung(entry, request), stale: (code) => readStale(entry, request, code) };
    },

    bad,

    young: async (request) => (await readYoung(await cache.find(request.key), request)) ?? (await bad(request)),

    async byKey(key) {
      const entry = await cache.find(key);
      const lifeMs = entry?.maxAgeMs == null ? Number.POSITIVE_INFINITY : entry.keptUntil - entry.createdAt;
      return entry && read(entry, lifeMs, entry.createdAt + lifeMs - Date.now());
    },

    lastRemoval,

    async save(request, output, work, removalBefore) {
      const { plan, task, hasSecrets, background } = request;
      work.step('store');
      const { bytes, type, width, height, pages, page, verdict, warnings } = output;
      const meta = withoutSecrets({
        ...sourceMeta(task),
        width,
        height,
        renderTime: Math.round(work.elapsed() - (work.phases().queue ?? 0)),
        ...(pages !== undefined && { pages }),
        ...(page !== undefined && { page }),
        ...(verdict !== undefined && { verdict }),
        ...(hasSecrets && { behindLogin: true }),
        warnings,
      });
      const isBad = badCode(verdict) !== undefined;
      const lifeMs = isBad ? Math.min(badLifeMs, ttlMs(plan)) : ttlMs(plan);
      const createdAt = Date.now();
      /** Undefined if that cannot be found out. A job has to keep its result. */
      const isCurrent = async () =>
        background !== undefined ||
        lastRemoval(request).then(
          (now) => now === removalBefore,
          () => undefined,
        );
      const [entry, wasCurrent] = await Promise.all([entryOf(request, { bytes, type, meta, createdAt }), isCurrent()]);
      const wasPut = wasCurrent === true && (await cache.put(entry, bytes));
      const current = wasPut ? await isCurrent() : wasCurrent;
      const stored = wasPut && current === true;
      if (wasPut && !stored) await cache.remove([entry.key]).catch(() => {});
      const notStored =
        current === false
          ? 'Results of this page or template were removed while it was rendered; it is not cached.'
          : 'This result could not be stored; it is not cached.';
      return {
        key: entry.key,
        hash: entry.hash,
        type,
        bytes,
        meta: stored ? meta : { ...meta, warnings: [...meta.warnings, notStored] },
        cache: 'MISS',
        createdAt,
        cachedAt: null,
        stored,
        freshForMs: stored ? lifeMs : 0,
        expiresAt: createdAt + (isBad ? keptAsBadMs(background) : lifeMs),
        phases: work.phases(),
      };
    },

    createdAt: async (request) => (await cache.find(request.key))?.createdAt,

    async variant({ key }, original) {
      const entry = await cache.find(keyBy(key, original.meta));
      if (entry?.createdAt !== original.createdAt) return undefined;
      const bytes = await cache.read(entry);
      if (bytes === undefined) return undefined;
      const { width, height } = readMeta(entry.meta);
      return { key: entry.key, hash: entry.hash, bytes, width, height, isStored: true };
    },

    async saveVariant(request, original, picture) {
      const { type, createdAt } = original;
      const { bytes, width, height } = picture;
      const meta = { ...withoutStaleWarning(original), width, height };
      const entry = await entryOf(request, { bytes, type, meta, createdAt });
      const isStored = original.stored && (await cache.put(entry, bytes));
      return { ...picture, key: entry.key, hash: entry.hash, isStored };
    },
  };
}

const keptAsBadMs = (background: ValidatedRequest['background']): number => (background ? jobLinkMs : badLifeMs);

/** Good and bad results of a request are stored side by side. */
const keyBy = (key: string, { verdict }: Meta): string => (badCode(verdict) === undefined ? key : badKeyOf(key));

async function entryOf(
  {
    requester,
    plan,
    key,
    task,
    background,
  }: Pick<ValidatedRequest, 'requester' | 'plan' | 'key' | 'task' | 'background'>,
  { bytes, type, meta, createdAt }: Pick<Result, 'bytes' | 'type' | 'meta' | 'createdAt'>,
): Promise<Omit<Entry, 'usedAt'>> {
  const isBad = badCode(meta.verdict) !== undefined;
  return {
    key: keyBy(key, meta),
    accountId: requester.account.id,
    hash: await resultHash(bytes),
    size: bytes.length,
    type,
    meta: JSON.stringify(meta),
    createdAt,
    maxAgeMs: isBad ? badLifeMs : null,
    keptUntil: createdAt + (isBad ? keptAsBadMs(background) : keptMs(plan)),
    subject: subjectOfTask(task),
  };
}

function withoutStaleWarning({ meta, stale, createdAt }: Result): Meta {
  if (stale === undefined) return meta;
  const warning = staleWarning(createdAt, stale);
  return { ...meta, warnings: meta.warnings.filter((each) => each !== warning) };
}

/** Of a page that the caller sent only the kind is kept. */
function sourceMeta(task: RenderTask): Pick<Meta, 'url' | 'template' | 'source'> {
  const [name, value] = sourceParameter(task);
  return name === 'url' || name === 'template' ? { [name]: value } : { source: name };
}
