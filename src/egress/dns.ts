// Resolves names like the machine does, but without getaddrinfo where possible: getaddrinfo occupies one of libuv's few
// threads until the name server answers, and a page may name any number of dead hosts. c-ares needs no threads.
import { promises as dns } from 'node:dns';
import { sleep } from '../kernel/deadline.ts';
import type { Resolver, TextRecordResolver } from './egress-types.ts';
import { internalNameReason } from './host-names.ts';
import { createHostsFile } from './hosts-file.ts';

// 1.5 s, then once more: a lost packet costs 1.5 s, a dead name server 4.5 s (c-ares doubles the second wait).
const attempts = { timeout: 1500, tries: 2 };
// A new client each minute picks up a changed resolv.conf.
const clientMs = 60_000;
// Some name servers drop queries for AAAA. The other family's answer waits no longer than this.
const graceMs = 300;

type Family = { addresses: string[] } | { error: NodeJS.ErrnoException };

export function systemResolver(options: { servers?: string[]; hostsFile?: string } = {}): Resolver {
  const hosts = createHostsFile(options.hostsFile ?? '/etc/hosts');
  let client: dns.Resolver | undefined;
  let clientAt = 0;

  const currentClient = (): dns.Resolver => {
    if (client === undefined || performance.now() - clientAt > clientMs) {
      client = new dns.Resolver(attempts);
      if (options.servers) client.setServers(options.servers);
      clientAt = performance.now();
    }
    return client;
  };

  return async (name) => {
    const written = await hosts.addresses(name);
    if (written.length > 0) return written;
    // RFC 6761; Chromium does the same. Such names are resolved only if the operator exempted a network.
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1'];
    // "app" and "printer.local" need the machine's search list or mDNS, which only getaddrinfo supports.
    if (internalNameReason(name) !== undefined)
      return (await dns.lookup(name, { all: true })).map((entry) => entry.address);
    const asked = currentClient();
    return bothFamilies(settle(asked.resolve4(name)), settle(asked.resolve6(name)));
  };
}

/** More than any name has for its own good. */
const mostTextRecords = 200;

export function systemTextRecords(options: { servers?: string[] } = {}): TextRecordResolver {
  return async (name) => {
    const client = new dns.Resolver(attempts);
    if (options.servers) client.setServers(options.servers);
    return (await client.resolveTxt(name)).slice(0, mostTextRecords).map((parts) => parts.join(''));
  };
}

const settle = (answer: Promise<string[]>): Promise<Family> =>
  answer.then(
    (addresses) => ({ addresses }),
    (error) => ({ error }),
  );

async function bothFamilies(v4: Promise<Family>, v6: Promise<Family>): Promise<string[]> {
  const grace = new AbortController();
  const first = await Promise.race([v4, v6]);
  const enough = 'addresses' in first ? sleep(graceMs, grace.signal).catch(() => {}) : new Promise<undefined>(() => {});
  const answers = await Promise.all([v4, v6].map((family) => Promise.race([family, enough])));
  grace.abort();
  const addresses = answers.flatMap((answer) => (answer && 'addresses' in answer ? answer.addresses : []));
  if (addresses.length > 0) return addresses;
  throw worst(answers.flatMap((answer) => (answer && 'error' in answer ? [answer.error] : [])));
}

/** "Not found" only if both queries say so; otherwise the failure of the name server is the reason. */
const worst = (errors: NodeJS.ErrnoException[]): Error =>
  errors.find((error) => error.code !== 'ENOTFOUND' && error.code !== 'ENODATA') ?? errors[0] ?? new Error('no answer');
