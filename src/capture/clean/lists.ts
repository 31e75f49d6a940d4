// The filter lists. The set-up or `tintype lists update` takes them from the npm registry, compiles them and puts them into a
// folder. They are under the GPL and not part of this project. Without them the built-in list is used.
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtInAds, builtInCookies } from './built-in-list.ts';
import type { ListState } from './clean-types.ts';
import { type Blocklist, compile, loadEngine, stampOf } from './engine.ts';
import { type Manifest, manifestPath, readListState, readManifest } from './list-state.ts';

// AdGuard's numbers: base (ads), tracking protection, cookie notices, widgets. 216, 217 and 238 are for non-commercial use
// only and must not be added.
const kinds = {
  ads: { rulesets: [2, 3, 22], builtIn: builtInAds },
  cookies: { rulesets: [18], builtIn: builtInCookies },
} as const;
type ListKind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as ListKind[];

const stamp = stampOf(`${builtInAds}\n${builtInCookies}`);

const textPath = (dir: string, kind: ListKind) => join(dir, `${kind}.txt`);
const enginePath = (dir: string, kind: ListKind) => join(dir, `${kind}.bin`);

/** Written to a temporary file and renamed, so that no reader sees half a file. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

async function compileInto(dir: string, texts: Record<ListKind, string>, of: Omit<Manifest, 'stamp'>): Promise<void> {
  for (const kind of kindNames) {
    await writeWhole(enginePath(dir, kind), compile(`${texts[kind]}\n${kinds[kind].builtIn}`));
  }
  await writeWhole(manifestPath(dir), JSON.stringify({ ...of, stamp } satisfies Manifest));
}

/** For lists-thread.ts. */
export async function rebuildLists(dir: string): Promise<void> {
  const manifest = readManifest(dir);
  if (!manifest) return;
  const texts = { ads: '', cookies: '' };
  for (const kind of kindNames) texts[kind] = await readFile(textPath(dir, kind), 'utf8');
  await compileInto(dir, texts, { version: manifest.version, fetchedAt: manifest.fetchedAt });
}

/** In a thread, which ends with its work: it takes seconds. */
async function rebuildInThread(dir: string): Promise<void> {
  const thread = new Worker(new URL('./lists-thread.ts', import.meta.url), { workerData: dir });
  await once(thread, 'exit');
}

const load = async (bytes: (kind: ListKind) => Promise<Uint8Array>): Promise<Record<ListKind, Blocklist>> => ({
  ads: loadEngine(await bytes('ads')),
  cookies: loadEngine(await bytes('cookies')),
});

export type Lists = Record<ListKind, Blocklist> & Pick<ListState, 'source'>;

/** The engines of the folder's lists, compiled again if the engine has changed since; otherwise of the built-in list. */
export async function loadLists(dir: string): Promise<Lists> {
  const manifest = readManifest(dir);
  if (manifest) {
    try {
      if (manifest.stamp !== stamp) await rebuildInThread(dir);
      return { ...(await load((kind) => readFile(enginePath(dir, kind)))), source: 'fetched' };
    } catch {
      // Lists that cannot be read are ignored; the state reports the built-in list.
    }
  }
  return { ...(await load(async (kind) => compile(kinds[kind].builtIn))), source: 'built-in' };
}

async function takePackage(
  folder: string,
  unpack: Update['unpack'],
): Promise<{ version: string; texts: Record<ListKind, string> }> {
  const inside = (number: number) => `dist/filters/declarative/ruleset_${number}/ruleset_${number}.json`;
  const numbers = kindNames.flatMap((kind) => [...kinds[kind].rulesets]);
  const files = ['package.json', ...numbers.map(inside)];
  await unpack(folder, files);
  const { version } = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'));
  const texts = { ads: '', cookies: '' };
  for (const kind of kindNames) {
    for (const number of kinds[kind].rulesets) {
      const [head] = JSON.parse(await readFile(join(folder, 'package', inside(number)), 'utf8'));
      const text: unknown = head?.metadata?.rawFilterList;
      if (typeof text !== 'string' || text.length < 1000) throw new Error(`list ${number} of ${version} is empty`);
      texts[kind] += `${text}\n`;
    }
  }
  return { version, texts };
}

type Update = {
  readonly dir: string;
  readonly print: (line: string) => void;
  /** Fetches the package with the lists and unpacks these files of it into `package` in the folder: see setup/lists-package.js. */
  readonly unpack: (folder: string, files: string[]) => Promise<void>;
};

/** Fetches the lists and compiles them into `dir`. If that fails, it throws and leaves the old lists in place. */
export async function updateLists({ dir, print, unpack }: Update): Promise<ListState> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-lists-'));
  try {
    print('Fetching the filter lists …');
    const { version, texts } = await takePackage(folder, unpack);
    await mkdir(dir, { recursive: true });
    for (const kind of kindNames) await writeWhole(textPath(dir, kind), texts[kind]);
    await compileInto(dir, texts, { version, fetchedAt: Date.now() });
    const rules = Object.values(texts).reduce((sum, text) => sum + text.split(/\n(?=[^!\s])/).length, 0);
    print(`Filter lists ${version}: ${rules.toLocaleString('en')} rules.`);
    return readListState(dir);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
