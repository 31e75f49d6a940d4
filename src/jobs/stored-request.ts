// The request of a job as its row keeps it. What only a body may carry (logins, pages that were sent) is encrypted with a
// key derived from the secret of the service, and erased when the job ends.
import { Problem } from '../kernel/errors.ts';
import { createSealedBox } from '../kernel/sealed-box.ts';
import { type RequestParameters, tables } from '../render/endpoint-tables.ts';
import type { Endpoint } from '../render/validated-request.ts';

/** `sealed` are the names of the parameters that are encrypted; `dropped` says that the request was too long to be kept. */
type Written = {
  readonly given: readonly (readonly [string, string])[];
  readonly sealed: readonly string[];
  readonly dropped?: true;
};

export type StoredRequest = { readonly request: string; readonly sealed: Buffer | null };

export type RequestSealing = {
  store(kind: Endpoint, parameters: RequestParameters, jobId: string): StoredRequest;
  /** Throws if the encrypted part cannot be decrypted: it is of another job, or the secret of the service was replaced. */
  read(request: string, sealed: Uint8Array | null, jobId: string): RequestParameters;
};

const purpose = 'tintype jobs';

export function createRequestSealing(serviceSecret: string): RequestSealing {
  const box = createSealedBox(serviceSecret, purpose);
  const open = (sealed: Uint8Array, jobId: string): string => {
    try {
      return box.open(sealed, jobId);
    } catch (cause) {
      // Tried again as a fault of the service: another machine may have the right secret.
      const message =
        "The request of this job cannot be decrypted: the service's secret was changed after it was accepted. Send it again.";
      throw new Problem('internal_error', { message, cause });
    }
  };
  return {
    store(kind, parameters, jobId) {
      const given: [string, string][] = [];
      const secret: [string, string][] = [];
      for (const pair of parameters) (isKept(kind, pair[0]) ? given : secret).push(pair);
      const request: Written = { given, sealed: secret.map(([name]) => name) };
      if (secret.length === 0) return { request: JSON.stringify(request), sealed: null };
      return { request: JSON.stringify(request), sealed: box.seal(JSON.stringify(secret), jobId) };
    },
    read(request, sealed, jobId) {
      const { given } = JSON.parse(request) as Written;
      if (sealed === null) return new Map(given);
      return new Map([...given, ...(JSON.parse(open(sealed, jobId)) as [string, string][])]);
    },
  };
}

/** The encrypted part for another secret of the service. Undefined if it cannot be decrypted. */
export function resealRequest(sealed: Uint8Array, jobId: string, from: string, to: string): Buffer | undefined {
  try {
    return createSealedBox(to, purpose).seal(createSealedBox(from, purpose).open(sealed, jobId), jobId);
  } catch {
    return undefined;
  }
}

/** A name that the table does not have may be a misspelt secret; in a card it is a variable of the template. */
function isKept(kind: Endpoint, name: string): boolean {
  const table = tables[kind];
  return Object.hasOwn(table, name) ? table[name]?.onlyBody === undefined : kind === 'og';
}

/** The parameters that are not encrypted: they are kept when the job has ended. */
export const keptParameters = (request: string): RequestParameters => new Map((JSON.parse(request) as Written).given);

/** The names of parameters that mattered and were erased when the job ended: it cannot run again without them. */
export function erasedNames(kind: Endpoint, request: string): string[] {
  const { sealed, dropped } = JSON.parse(request) as Written;
  return dropped === true ? ['request'] : sealed.filter((name) => Object.hasOwn(tables[kind], name));
}

const longestSubject = 500;

/** The address, the template, or what was sent instead of an address. */
export function jobSubject(parameters: RequestParameters): string {
  const sent = ['html', 'markdown'].find((name) => parameters.has(name));
  return (parameters.get('url') ?? parameters.get('template') ?? sent ?? '').slice(0, longestSubject);
}
