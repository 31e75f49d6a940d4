// What was removed lately: a render that was under way then must not put back what its account wanted gone.
import { newRequestId } from '../kernel/request-id.ts';

/** Longer than any render. */
const keptMs = 10 * 60 * 1000;
const mostKept = 10_000;

/** Of all accounts, of one, or of one subject of it. On every machine the same removal has the same id. */
export type Removal = { readonly id: string; readonly accountId?: string | undefined; readonly subject?: string };

const nameOf = (accountId = '', subject = ''): string => `${accountId} ${subject}`;

export function createRemovals(clock: () => number = Date.now) {
  const ids = new Map<string, { readonly id: string; readonly at: number }>();

  function note({ id, accountId, subject }: Removal): void {
    const name = nameOf(accountId, subject);
    // The oldest come first.
    ids.delete(name);
    ids.set(name, { id, at: clock() });
    for (const [old, { at }] of ids) {
      if (ids.size <= mostKept && at > clock() - keptMs) break;
      ids.delete(old);
    }
  }

  return {
    note,
    make(accountId?: string, subject?: string): Removal {
      const removal = { id: newRequestId(), accountId, ...(subject !== undefined && { subject }) };
      note(removal);
      return removal;
    },
    /** Changes with each removal that concerns this subject. */
    last: (accountId: string, subject: string | null): string =>
      [nameOf(), nameOf(accountId), nameOf(accountId, subject ?? '')].map((name) => ids.get(name)?.id ?? '').join(''),
  };
}
