// `tintype doctor`: what this machine has and lacks for Tintype, one line each, and how to get what is missing.
// Each check does the real thing where it can: it starts the browser, writes the file, binds the port.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { howToGetBrowser } from '../setup/browser.js';
import * as dependencies from '../setup/dependencies.js';
import { findBrowser } from '../setup/find-browser.js';
import { debianFonts, missingFonts } from '../setup/fonts.js';
import { hasApt, leastNode } from '../setup/machine.js';
import { openFiles } from './app/result-files.ts';
import { launchBrowser } from './capture/browser.ts';
import { readListState } from './capture/clean/list-state.ts';
import { openCluster } from './cluster/cluster.ts';
import type { Config } from './config.ts';
import { Problem } from './kernel/errors.ts';
import { createLog, redact } from './kernel/log.ts';
import { holeOf } from './kernel/node-holes.ts';
import { listsDir, projectDir, webDir } from './kernel/project-paths.ts';
import { databaseFile, inspectDatabase } from './store/open.ts';

/** `missing`: Tintype cannot do its work without it. `weak`: it works, with a drawback. */
type Finding = { readonly state: 'good' | 'weak' | 'missing'; readonly says: string; readonly advice?: string };

const good = (says: string): Finding => ({ state: 'good', says });
const weak = (says: string, advice?: string): Finding => ({ state: 'weak', says, advice });
const missing = (says: string, advice?: string): Finding => ({ state: 'missing', says, advice });

const silent = createLog('silent');

/** Of the disk with the data folder, in bytes. Below this, results and database writes soon fail. */
const leastFree = 50e6;
const makeRoom = 'Free some space, or set DATA_DIR to a folder on another disk.';

const marks = { good: '✓', weak: '!', missing: '✗' } as const;

/** What is not set is not looked at. */
const checks: Record<string, (config: Config) => Finding | undefined | Promise<Finding | undefined>> = {
  Node: checkNode,
  packages: checkPackages,
  browser: checkBrowser,
  fonts: checkFonts,
  'data folder': checkDataFolder,
  database: checkDatabase,
  queue: checkQueue,
  bucket: checkBucket,
  'free disk': checkDisk,
  port: checkPort,
  'filter lists': checkLists,
  dashboard: checkDashboard,
};

/** One check after the other, each with what it found. */
async function* examine(config: Config): AsyncGenerator<Finding & { readonly name: string }> {
  for (const [name, check] of Object.entries(checks)) {
    const finding = await Promise.resolve(config)
      .then(check)
      .catch((error: Error) => missing(error.message));
    if (finding !== undefined) yield { name, ...finding };
  }
}

/** True if nothing that Tintype needs is missing. */
export async function runDoctor(print: (line: string) => void, config: Config, asJson = false): Promise<boolean> {
  const found: (Finding & { readonly name: string })[] = [];
  for await (const finding of examine(config)) {
    found.push(finding);
    if (asJson) continue;
    print(`${marks[finding.state]} ${`${finding.name}:`.padEnd(14)} ${finding.says}`);
    if (finding.advice) print(`  ${' '.repeat(14)} ${finding.advice}`);
  }
  const isWell = found.every(({ state }) => state !== 'missing');
  if (asJson) print(JSON.stringify({ isWell, checks: found }, null, 2));
  else print(isWell ? '\nTintype can run here.' : '\nTintype cannot run here yet: see the lines marked ✗.');
  return isWell;
}

function checkNode(): Finding {
  const version = process.versions.node;
  const fromNpm = process.execPath.startsWith(join(projectDir, 'node_modules'));
  const says = `${version}, ${process.execPath}${fromNpm ? ' (from npm: the Node project has not signed it)' : ''}`;
  if (Number(version.split('.')[0]) < leastNode)
    return missing(`${says}; ${leastNode} or newer is needed`, 'npm run setup');
  const hole = holeOf(version);
  if (hole === undefined) return good(says);
  return weak(
    `${says}, which has a known hole: ${hole.id} (${hole.about})`,
    `Install Node ${hole.closedIn} or newer on this machine: https://nodejs.org/en/download`,
  );
}

function checkPackages(): Finding {
  return dependencies.check({ projectDir, say: () => {} })
    ? good('as in package-lock.json')
    : missing('not as in package-lock.json', 'npm run setup');
}

async function checkBrowser(config: Config): Promise<Finding> {
  const found = await findBrowser({ browserPath: config.browserPath, projectDir });
  if (found === undefined)
    return config.browserPath
      ? missing(
          `BROWSER_PATH is ${config.browserPath}, which cannot be started`,
          'Point it to a browser, or leave it out.',
        )
      : missing('none was found', howToGetBrowser());
  try {
    const browser = await launchBrowser({ ...found, sandbox: config.browserSandbox }, tmpdir(), silent);
    await browser.kill();
    const says = `Chromium ${browser.version} (${found.kind}), ${found.path}`;
    return browser.sandbox
      ? good(`${says}, in its sandbox`)
      : weak(
          `${says}, WITHOUT its sandbox (BROWSER_SANDBOX=off)`,
          'Unset BROWSER_SANDBOX to see what is missing for it.',
        );
  } catch (error) {
    return missing((error as Error).message);
  }
}

function checkFonts(): Finding {
  const lacking = missingFonts(projectDir).map((need) => need.name);
  if (lacking.length === 0) return good('all scripts and emoji');
  return weak(
    `none for ${lacking.join(', ')}: such text is drawn as empty boxes`,
    hasApt() ? `apt-get install -y ${debianFonts.join(' ')}   or, without root: npm run setup` : 'npm run setup',
  );
}

async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  const folder = nearestFolder(dataDir);
  const probe = join(folder, `.tintype-doctor-${process.pid}`);
  try {
    // A full disk still takes an empty file, and may find room for one that compresses well.
    await writeFile(probe, randomBytes(64 * 1024), { flush: true });
    return good(folder === dataDir ? dataDir : `${dataDir} (created at the first start)`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return missing(
      `${folder} cannot be written to (${code})`,
      code === 'ENOSPC' || code === 'EDQUOT' ? makeRoom : 'Set DATA_DIR to a folder of the user that runs Tintype.',
    );
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

async function checkDatabase({ dataDir, databaseUrl }: Config): Promise<Finding> {
  if (databaseUrl === undefined && !existsSync(join(dataDir, databaseFile)))
    return good('SQLite (created at the first start)');
  // The password stays out of the line.
  const where = databaseUrl === undefined ? 'SQLite' : `PostgreSQL at ${new URL(databaseUrl).host}`;
  const notes = {
    current: '',
    older: ' (an older version made it; the next start migrates it)',
    empty: ' (its tables are created at the first start)',
  };
  try {
    return good(where + notes[await inspectDatabase({ dataDir, databaseUrl, log: silent })]);
  } catch (error) {
    // Our other errors (a newer database, a folder that cannot be written) say what to do.
    if (!(error instanceof Problem)) return missing(`${where} cannot be used: ${redact((error as Error).message)}`);
    const cause = error.cause as NodeJS.ErrnoException & { errcode?: number };
    return missing(
      `${where} cannot be used: ${redact(cause.message || String(cause.code))}`,
      databaseUrl === undefined
        ? adviceForSqlite(dataDir, cause.errcode ?? 0)
        : 'Check DATABASE_URL, or leave it out for SQLite.',
    );
  }
}

/** By the result code of SQLite (https://www.sqlite.org/rescode.html); its low byte is the kind of error. */
function adviceForSqlite(dataDir: string, code: number): string {
  const [locked, corrupt, full, notADatabase] = [5, 11, 13, 26];
  const kind = code & 0xff;
  if (kind === corrupt || kind === notADatabase) return `The file is damaged: restore a backup of ${dataDir}.`;
  if (kind === full) return makeRoom;
  if (kind === locked) return 'Another process holds it. Wait for it, or stop it.';
  return `Check the disk of ${dataDir} and the permissions of its files.`;
}

/** Joins the cluster for a moment to count its render nodes. */
async function checkQueue({ redisUrl, role }: Config): Promise<Finding | undefined> {
  if (redisUrl === undefined) return undefined;
  const where = `Redis at ${new URL(redisUrl).host}`;
  try {
    const { stats, stop } = await openCluster({ url: redisUrl, queueMax: 0, log: silent });
    await stop();
    const nodes = `${stats.renderers} render ${stats.renderers === 1 ? 'node' : 'nodes'}`;
    return stats.renderers === 0 && role === 'api'
      ? weak(`${where}, ${nodes}`, 'Start one: ROLE=render.')
      : good(`${where}, ${nodes}`);
  } catch (error) {
    return missing(`${where}: ${(error as Error).message}`, 'Check REDIS_URL, or leave it out for one machine.');
  }
}

/** Writes a small file, reads it and removes it: a bucket may answer and still forbid one of these. */
async function checkBucket(config: Config): Promise<Finding | undefined> {
  if (config.s3Bucket === undefined) return undefined;
  const files = await openFiles(config);
  const name = `doctor-${process.pid}`;
  const bytes = Buffer.from('written by tintype doctor');
  try {
    await files.write(name, bytes);
    const read = await files.read(name);
    await files.remove(name);
    return read?.equals(bytes)
      ? good(config.s3Bucket)
      : missing(`${config.s3Bucket} returned other bytes than were written`);
  } catch (error) {
    return missing(`${config.s3Bucket}: ${(error as Error).message}`, 'Check S3_BUCKET, S3_ENDPOINT and the keys.');
  } finally {
    files.stop?.();
  }
}

async function checkDisk({ dataDir, cacheMaxBytes }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestFolder(dataDir));
  const free = bavail * bsize;
  if (free < leastFree)
    return missing(`${(free / 1e6).toFixed(1)} MB; at least ${leastFree / 1e6} MB are needed`, makeRoom);
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  if (free >= cacheMaxBytes) return good(gigabytes(free));
  return weak(
    `${gigabytes(free)}, and the cache may grow to ${gigabytes(cacheMaxBytes)}`,
    'Set CACHE_MAX_BYTES lower.',
  );
}

/** Binds it for a moment; opens no connection. */
function checkPort({ host, port }: Config): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'EADDRINUSE'
          ? weak(`${host}:${port} is in use, perhaps by Tintype itself`, 'Stop what uses it, or set PORT.')
          : missing(`${host}:${port} cannot be listened on (${error.code})`, 'Set HOST and PORT.'),
      ),
    );
    server.listen({ host, port }, () =>
      server.close(() => resolve(good(port === 0 ? 'any free one' : `${host}:${port}`))),
    );
  });
}

function checkLists(): Finding {
  const { source, version, age } = readListState(listsDir);
  if (source === 'built-in')
    return weak('only the short one built in, for blockAds and blockCookies', 'bin/tintype lists update');
  const days = Math.floor((age ?? 0) / 86_400_000);
  const says = `${version}, ${days === 0 ? 'fetched today' : `${days} ${days === 1 ? 'day' : 'days'} old`}`;
  return days > 60 ? weak(says, 'bin/tintype lists update') : good(says);
}

function checkDashboard(): Finding {
  return existsSync(join(webDir, 'index.html')) ? good('built') : weak('not built', 'npm run setup');
}

/** The folder, or the nearest one above it that is there. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
