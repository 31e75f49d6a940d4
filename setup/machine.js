// @ts-check
// Facts about this machine, and how the set-up runs a command on it. Like everything in this folder it is plain JavaScript
// for Node 20, without a package: a bare clone has nothing else.
import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @typedef {object} Context What every step is given.
 * @property {string} projectDir
 * @property {(line: string) => void} say
 *
 * @typedef {object} Step
 * @property {string} name A noun, for error texts.
 * @property {boolean} [optional] If true, a failure is printed and the set-up goes on.
 * @property {(context: Context) => boolean | Promise<boolean>} check Is everything there? Asks no network.
 * @property {(context: Context) => Promise<void>} install Prints what it does, and does it.
 */

/** Why the set-up failed. `command` is what the user can run to go on. */
export class SetupFailure extends Error {
  /** @param {string} message @param {string} [command] */
  constructor(message, command) {
    super(message);
    this.command = command;
  }
}

export const isRoot = process.getuid?.() === 0;

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Where a command is, as the shell would find it.
 * @param {string} name
 * @returns {string | undefined}
 */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder !== '' && isExecutable(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

/** The words of /etc/os-release that say what kind of Linux this is: `debian`, `ubuntu debian`, `fedora`… */
export function linuxFamily() {
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    return [...text.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].map((match) => match[1]?.replaceAll('"', '') ?? '').join(' ');
  } catch {
    return '';
  }
}

export const hasApt = () => which('apt-get') !== undefined;

/**
 * Runs a command and returns its output, which is not printed. If it fails, the first lines of it are the message.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, advice?: string }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env, advice } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = () => child.kill();
    process.once('exit', stop);
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) =>
      reject(new SetupFailure(`${command} could not be started: ${error.message}`, advice)),
    );
    child.once('close', (code) => {
      process.removeListener('exit', stop);
      if (code === 0) return resolve(output);
      const said = output.trim().split('\n').filter(worthReading).slice(0, 8).join('\n    ');
      reject(new SetupFailure(`${[command, ...args].join(' ')} failed:\n    ${said || `exit code ${code}`}`, advice));
    });
  });
}

// The progress of apt; warnings of npm, and the place of its log.
const noise = /^(Reading|Building|Hit:|Get:|Fetched|npm warn|npm error( A complete log.*)?$)|^\s*$/;
/** @param {string} line */
const worthReading = (line) => !noise.test(line);

/**
 * Installs Debian packages. The package lists of an image are often empty or old: where the first try fails, they
 * are fetched and it is tried once more.
 * @param {string[]} packages
 */
export async function aptInstall(packages) {
  // Another apt (or another set-up) may hold the lock: wait for it.
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2'];
  const install = () =>
    run('apt-get', [...options, 'install', '-y', '--no-install-recommends', ...packages], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      advice: `apt-get update && apt-get install -y ${packages.join(' ')}`,
    });
  try {
    await install();
  } catch {
    await run('apt-get', [...options, 'update']).catch(() => {});
    await install();
  }
}

/** The first Node that Tintype runs on. */
export const leastNode = 24;

/**
 * The Node that runs the project, chosen as in bin/tintype: the machine's own, which its owner keeps up to date; where that
 * is too old or missing, the one that npm brought with the packages.
 * @param {string} projectDir
 */
export function projectNode(projectDir) {
  const bin = join('node_modules', '.bin');
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '' && !folder.endsWith(bin));
  const ofMachine = folders.map((folder) => join(folder, 'node')).find(isExecutable);
  if (ofMachine !== undefined && majorOf(ofMachine) >= leastNode) return ofMachine;
  const own = join(projectDir, bin, 'node');
  return isExecutable(own) ? own : process.execPath;
}

/** 0 if it does not run. @param {string} path */
export function majorOf(path) {
  try {
    return Number(/^v(\d+)\./.exec(execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' }))?.[1]);
  } catch {
    return 0;
  }
}
