// Packages from npm in a temporary folder that later runs use again. `npm pack` fetches a package and runs none of its scripts.
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cdnStandIns, libraries, sitePackages } from './packages.ts';

const run = promisify(execFile);

export type SitePage = {
  readonly name: string;
  /** The folder that the server's root shows. */
  readonly root: string;
  readonly path: string;
};

/** Unpacks what is not there yet; a package that cannot be fetched is reported and left out. */
export async function installPackages(folder: string, note: (line: string) => void): Promise<Set<string>> {
  const specs = [...sitePackages.map(({ spec }) => spec), ...Object.values(libraries)];
  const there = new Set<string>();
  const queue = [...new Set(specs)];
  const worker = async () => {
    for (let spec = queue.shift(); spec !== undefined; spec = queue.shift())
      await installOne(folder, spec).then(
        () => there.add(spec),
        (error: Error) => note(`${spec} cannot be installed: ${error.message.split('\n')[0]}`),
      );
  };
  await Promise.all([worker(), worker(), worker()]);
  return there;
}

const folderOf = (folder: string, spec: string) => join(folder, 'packages', spec.replaceAll('/', '+'));

export const libraryFolders = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.entries(libraries).map(([name, spec]) => [name, folderOf(folder, spec)]));

export const standIns = cdnStandIns;

/** The pages of the packages that are there. */
export async function packagePages(folder: string, note: (line: string) => void): Promise<SitePage[]> {
  const there = await installPackages(folder, note);
  const pages: SitePage[] = [];
  for (const { spec, root = '', pages: paths } of sitePackages.filter((one) => there.has(one.spec)))
    for (const path of paths) {
      const site = join(folderOf(folder, spec), root);
      const found = await exists(join(site, path));
      if (found)
        pages.push({ name: `${spec.replace(/@[^@]*$/, '')}-${spec.split('@').at(-1)}/${path}`, root: site, path });
      else note(`${spec} has no ${path}`);
    }
  return pages;
}

/** Saved pages: .html files of the folder, and sub-folders with an index.html or source.html. */
export async function savedPages(folder: string): Promise<SitePage[]> {
  const pages: SitePage[] = [];
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isFile() && /\.html?$/.test(entry.name)) pages.push({ name: entry.name, root: folder, path: entry.name });
    if (!entry.isDirectory()) continue;
    const root = join(folder, entry.name);
    for (const path of ['index.html', 'source.html'])
      if (await exists(join(root, path))) {
        pages.push({ name: entry.name, root, path });
        break;
      }
  }
  return pages;
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function installOne(folder: string, spec: string): Promise<void> {
  const target = folderOf(folder, spec);
  if (await exists(target)) return;
  await mkdir(join(folder, 'packages'), { recursive: true });
  const work = await mkdtemp(join(folder, 'unpacking-'));
  try {
    await run('npm', ['pack', '--ignore-scripts', '--silent', spec], { cwd: work, timeout: 120_000 });
    const [archive] = await readdir(work);
    if (!archive) throw new Error('npm packed nothing');
    await mkdir(join(work, 'unpacked'));
    await run('tar', ['xzf', archive, '-C', 'unpacked', '--strip-components=1', '--no-same-owner'], { cwd: work });
    await rename(join(work, 'unpacked'), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
