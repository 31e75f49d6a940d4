// Names from /etc/hosts, which the queries of c-ares do not read.
import { readFile } from 'node:fs/promises';
import { parseIp } from '../kernel/ip.ts';

const rereadMs = 5000;

export function createHostsFile(path: string): { addresses(name: string): Promise<string[]> } {
  let names: Promise<Map<string, string[]>> | undefined;
  let readAt = 0;
  return {
    async addresses(name) {
      if (names === undefined || performance.now() - readAt > rereadMs) {
        readAt = performance.now();
        names = readFile(path, 'utf8').then(parseHosts, () => new Map());
      }
      return (await names).get(name) ?? [];
    },
  };
}

function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (parseIp(address) === undefined) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...new Set([...(names.get(name) ?? []), address])]);
    }
  }
  return names;
}
