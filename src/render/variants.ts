// Smaller pictures of a result. Each is stored under a key of its own, with the age of its original, and is made from the
// original's bytes: that needs no browser and counts as no render.
import type { Deadline } from '../kernel/deadline.ts';
import { createFlights } from './flights.ts';
import { resizeOf, resizePicture } from './resize.ts';
import { createResizeSlots } from './resize-slots.ts';
import type { Result } from './result.ts';
import type { StoredResults, StoredVariant } from './stored-results.ts';
import type { ValidatedRequest } from './validated-request.ts';

export type VariantRequest = ValidatedRequest & { readonly original: ValidatedRequest };

export const isVariant = (request: ValidatedRequest): request is VariantRequest => request.original !== undefined;

export type Variants = {
  /** A stored variant that is young enough, unless its original was rendered again since. */
  young(request: VariantRequest): Promise<Result | undefined>;
  /** The variant of this original: the stored one, or a new one, which is then stored. */
  of(original: Result, request: VariantRequest, deadline: Deadline): Promise<Result>;
};

export function createVariants(stored: StoredResults): Variants {
  const flights = createFlights<StoredVariant & { readonly resizeMs?: number }>();
  const inSlot = createResizeSlots();

  async function make(original: Result, request: VariantRequest, work: Deadline) {
    const kept = await stored.variant(request, original);
    if (kept !== undefined) return kept;
    const { job, requester } = request;
    const resize = job.kind === 'screenshot' ? resizeOf(job.request) : undefined;
    if (job.kind !== 'screenshot' || resize === undefined) throw new Error('This request asks for no other size.');
    work.step('resize');
    const { bytes, type, meta } = original;
    const picture = { bytes, type, width: meta.width, height: meta.height };
    const smaller = await inSlot(requester.account.id, work, () =>
      resizePicture(picture, resize, job.request.quality, work.remaining()),
    );
    const resizeMs = work.phases().resize ?? 0;
    return { ...(await stored.saveVariant(request, original, smaller)), resizeMs };
  }

  return {
    async young(request) {
      const [{ young }, originalAt] = await Promise.all([stored.good(request), stored.createdAt(request.original)]);
      return young !== undefined && young.createdAt >= (originalAt ?? 0) ? young : undefined;
    },

    async of(original, request, deadline) {
      deadline.step('resize');
      // With the age of the original: another one of the same key is another picture.
      const flight = `${request.key} ${original.createdAt}`;
      const made = await flights.join(flight, deadline, (work) => make(original, request, work));
      const { key, hash, bytes, width, height, isStored, resizeMs } = made;
      return {
        ...original,
        key,
        hash,
        bytes,
        stored: isStored,
        meta: { ...original.meta, width, height },
        phases: { ...original.phases, ...(resizeMs !== undefined && { resize: resizeMs }) },
      };
    },
  };
}
