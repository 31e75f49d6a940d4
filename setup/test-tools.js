// @ts-check
// What only the tests need: real servers and tools to test against. Without them those tests are skipped, with a message.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, hasApt, isExecutable, isRoot, which } from './machine.js';

export const name = 'test tools';
export const optional = true;

const tools = [
  { debian: 'postgresql', isThere: hasPostgres, tests: 'the store on PostgreSQL' },
  { debian: 'redis-server', isThere: () => which('redis-server') !== undefined, tests: 'several machines together' },
  { debian: 'nginx', isThere: () => hasTool('nginx'), tests: 'restarts of machines behind a reverse proxy' },
  { debian: 'poppler-utils', isThere: () => which('pdftoppm') !== undefined, tests: 'how PDF pages look' },
  { debian: 'iproute2', isThere: () => hasTool('ip'), tests: 'attacks in a network of their own' },
  { debian: 'procps', isThere: () => which('ps') !== undefined, tests: 'that no process is left behind' },
  { debian: 'python3', isThere: () => which('python3') !== undefined, tests: 'the Python samples' },
  { debian: 'php-cli', isThere: () => which('php') !== undefined, tests: 'the PHP samples' },
  { debian: 'ruby', isThere: () => which('ruby') !== undefined, tests: 'the Ruby samples' },
  { debian: 'curl', isThere: () => which('curl') !== undefined, tests: 'the curl samples' },
];

export function check() {
  return tools.every((tool) => tool.isThere());
}

/** @param {import('./machine.js').Context} context */
export async function install({ say }) {
  const packages = missing().map((tool) => tool.debian);
  if (isRoot && hasApt()) {
    say(`Installing what only the tests need: apt-get install ${packages.join(' ')} …`);
    await aptInstall(packages).catch((error) => say(`  ${error.message}`));
  }
  for (const tool of missing()) say(`Tests that will be skipped without ${tool.debian}: ${tool.tests}.`);
  if (missing().length > 0 && hasApt() && !isRoot)
    say(
      `To run them too: sudo apt-get install -y ${missing()
        .map((tool) => tool.debian)
        .join(' ')}`,
    );
}

const missing = () => tools.filter((tool) => !tool.isThere());

/** /usr/sbin is not in an ordinary user's PATH. @param {string} command */
const hasTool = (command) => which(command) !== undefined || isExecutable(join('/usr/sbin', command));

/** Debian keeps the server's programs out of PATH, in a folder a version. */
function hasPostgres() {
  const versions = '/usr/lib/postgresql';
  return (
    which('initdb') !== undefined ||
    (existsSync(versions) &&
      readdirSync(versions).some((version) => isExecutable(join(versions, version, 'bin', 'initdb'))))
  );
}
