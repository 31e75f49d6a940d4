// Smaller pictures of a result. Each is stored under a key of its own, with the age of its original, and is made from the
// original's bytes: that needs no browser and counts as no render.
import type { Deadline } from '../kernel/deadline.ts';
import { formats } from '../kernel/formats.ts';
import { ttlMs } from '../kernel/plans.ts';
import { createFlights } from './flights.ts';
import { resizeOf, resizePicture } from './resize.ts';
import { createResizeSlots } from './resize-slots.ts';
import type { Result } from './result.ts';
import type { StoredResults, StoredVariant } from './stored-results.ts';
import type { ValidatedRequest } from './validated-request.ts';

export type VariantRequest = ValidatedRequest & { readonly original: ValidatedRequest };

export const isVariant = (request: ValidatedRequest): request is VariantRequest => request.original !== undefined;

export type Variants = {
  /** The stored variant, unless its original was rendered again since; or one of the stored original. Both young enough. */
  fromCache(request: VariantRequest, deadline: Deadline): Promise<Result | undefined>;
  /** The variant of this original: the stored one, or a new one, which is then stored. */
  of(original: Result, request: VariantRequest, deadline: Deadline): Promise<Result>;
};

export function createVariants(stored: StoredResults): Variants {
  const flights = createFlights<Result | undefined>();
  // An encoder that cannot be stopped may go on for seconds: it has a slot of its own, so that the others do not wait for it.
  const slots = { stoppable: createResizeSlots(2), unstoppable: createResizeSlots(1) };

  const inSlot = ({ task, requester }: VariantRequest, work: Deadline, make: () => Promise<Result | undefined>) => {
    work.step('resize');
    const kind = formats[task.request.format].stoppable ? 'stoppable' : 'unstoppable';
    return slots[kind](requester.account.id, work, make);
  };

  async function make(original: Result, request: VariantRequest, work: Deadline): Promise<Result> {
    const startedAt = performance.now();
    const variant = (await stored.variant(request, original)) ?? (await makeNew(original, request, work));
    const { key, hash, bytes, width, height, isStored } = variant;
    return {
      ...original,
      key,
      hash,
      bytes,
      stored: isStored,
      meta: { ...original.meta, width, height },
      phases: { ...original.phases, resize: performance.now() - startedAt },
    };
  }

  async function makeNew(original: Result, request: VariantRequest, work: Deadline): Promise<StoredVariant> {
    const { task } = request;
    const resize = task.kind === 'screenshot' ? resizeOf(task.request) : undefined;
    if (task.kind !== 'screenshot' || resize === undefined) throw new Error('This request asks for no other size.');
    const { bytes, type, meta } = original;
    const picture = { bytes, type, width: meta.width, height: meta.height };
    return stored.saveVariant(
      request,
      original,
      await resizePicture(picture, resize, task.request.quality, work.remaining()),
    );
  }

  return {
    async fromCache(request, deadline) {
      const { original } = request;
      const [{ young }, originalAt] = await deadline.race(
        Promise.all([stored.good(request), stored.createdAt(original)]),
      );
      if (young !== undefined && young.createdAt >= (originalAt ?? 0)) return young;
      if (originalAt === undefined || originalAt + Math.min(ttlMs(original.plan), original.maxAgeMs) <= Date.now())
        return undefined;
      // The original is read when there is a slot: those that wait for one hold no picture.
      return flights.join(`${request.key} ${request.maxAgeMs}`, deadline, (work) =>
        inSlot(request, work, async () => {
          const found = await stored.young(original);
          return found && make(found, request, work);
        }),
      );
    },

    async of(original, request, deadline) {
      // With the age of the original: another one of the same key is another picture.
      const made = await flights.join(`${request.key} ${request.maxAgeMs} ${original.createdAt}`, deadline, (work) =>
        inSlot(request, work, () => make(original, request, work)),
      );
      if (made === undefined) throw new Error('A picture that was given has a variant.');
      // A caller that joined has a cache state of its own.
      const { cache, cachedAt, stale, freshForMs } = original;
      return { ...made, cache, cachedAt, freshForMs, ...(stale !== undefined && { stale }) };
    },
  };
}
