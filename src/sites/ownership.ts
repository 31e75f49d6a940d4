// Proves that an account may speak for a site: by a DNS record, a file, or a meta element of the home page.
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import type { OwnershipProof, Site } from '../store/sites.ts';
import { isSameSite } from './origin.ts';
import type { PageReader } from './reading/reader.ts';

export const proofFile = '/.well-known/tintype-site.txt';
export const proofName = 'tintype-site';

/** How the ownership was proved, and what was found in each of the three places: a sentence. */
export type OwnershipCheck = {
  readonly by: OwnershipProof | undefined;
  readonly found: Readonly<Record<OwnershipProof, string>>;
};

type Dependencies = {
  readonly egress: Pick<Egress, 'fetchPage' | 'textRecords'>;
  readonly reader: Pick<PageReader, 'page'>;
};

export const pageBytes = 2_000_000;
export const fetchMs = 5000;
export const htmlTypes = ['text/html', 'application/xhtml+xml'];
const fileBytes = 1000;
const redirects = 3;
const right = 'It is right.';

export async function checkOwnership(site: Site, { egress, reader }: Dependencies): Promise<OwnershipCheck> {
  const { origin, token, accountId } = site;
  const host = new URL(origin).hostname;
  const deadline = new Deadline(fetchMs, 'The check');
  const mayFollow = (url: URL) => isSameSite(url, origin);
  const get = (path: string, bytes: number, types: readonly string[]) =>
    egress.fetchPage({ url: origin + path, bytes, redirects, mayFollow, types }, deadline.signal);

  const dns = async () => {
    const records = await egress.textRecords(host);
    if (records.some((record) => record.trim() === `${proofName}=${token}`)) return right;
    const others = records.filter((record) => record.startsWith(proofName)).length;
    return others > 0 ? 'The record has another value.' : `${host} has no such TXT record yet.`;
  };
  const file = async () => {
    const answer = await get(proofFile, fileBytes, ['text/plain', 'application/octet-stream', '']);
    if (answer.status === undefined) return answer.failure;
    if (answer.status !== 200) return `The file is not there: the server answered ${answer.status}.`;
    const text = answer.body.toString('utf8').trim();
    return text === token || text === `${proofName}=${token}` ? right : 'The file has another content.';
  };
  const meta = async () => {
    const answer = await get('/', pageBytes, htmlTypes);
    if (answer.status === undefined) return answer.failure;
    if (answer.status !== 200) return `The home page answered ${answer.status}.`;
    const page = await reader.page(accountId, { bytes: answer.body, type: answer.type, url: answer.url }, deadline);
    if (page === undefined) return 'The home page could not be read.';
    if (page.token === token) return right;
    return page.token === '' ? 'The home page has no such element.' : 'The element has another value.';
  };
  const settled = (work: Promise<string>) =>
    deadline.race(work).catch(() => `There was no answer within ${fetchMs / 1000} s.`);
  try {
    const [inDns, inFile, inMeta] = await Promise.all([dns(), file(), meta()].map(settled));
    const found = { dns: inDns ?? '', file: inFile ?? '', meta: inMeta ?? '' };
    return { by: (['dns', 'file', 'meta'] as const).find((proof) => found[proof] === right), found };
  } finally {
    deadline.cancel();
  }
}
