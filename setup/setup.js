// @ts-check
// Makes a bare clone ready: `npm start`, `npm test` and `npm run setup` begin here. Each step is checked, and installed with a
// message if something is missing. If nothing is missing, nothing is printed and the network is not used.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as browser from './browser.js';
import * as dependencies from './dependencies.js';
import * as fonts from './fonts.js';
import * as lists from './lists.js';
import { withLock } from './lock.js';
import { SetupFailure } from './machine.js';
import * as node from './node.js';
import * as testTools from './test-tools.js';
import * as web from './web.js';

/** @typedef {import('./machine.js').Step} Step */

const projectDir = dirname(dirname(fileURLToPath(import.meta.url)));
/** @type {import('./machine.js').Context} */
const context = { projectDir, say: (line) => process.stdout.write(`${line}\n`) };

/** The browser first, so that set-up fails early if none is available; after that, each step follows those it needs. @type {Step[]} */
const steps = [
  browser,
  dependencies,
  node,
  fonts,
  web,
  lists,
  ...(process.argv.includes('--tests') ? [testTools] : []),
];

/** @param {Step} step */
async function ensure(step) {
  if (await step.check(context)) return;
  const began = Date.now();
  const heartbeat = setInterval(() => context.say(`  … ${secondsSince(began)} s`), 15_000);
  try {
    await step.install(context);
  } catch (error) {
    if (!step.optional) throw error;
    context.say(`  Without the ${step.name}, for now: ${/** @type {Error} */ (error).message}`);
    return;
  } finally {
    clearInterval(heartbeat);
  }
  if (!step.optional && !(await step.check(context)))
    throw new SetupFailure(`The ${step.name}: installed, and still not complete.`);
}

async function main() {
  const isDone = await Promise.all(steps.map((step) => step.check(context)));
  if (isDone.every(Boolean)) return;
  const began = Date.now();
  await withLock(context, async () => {
    // All steps are checked again: another set-up may have installed them while this one waited.
    for (const step of steps) await ensure(step);
  });
  context.say(`Tintype is set up (${secondsSince(began)} s).`);
}

/** @param {number} time */
const secondsSince = (time) => Math.round((Date.now() - time) / 1000);

// With `exit`, the lock is removed and the running command is stopped when a signal ends the set-up.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await main();
} catch (error) {
  process.stderr.write(`\nTintype cannot be set up. ${/** @type {Error} */ (error).message}\n`);
  if (error instanceof SetupFailure && error.command)
    process.stderr.write(`\nRun this, and then try again:\n\n    ${error.command}\n\n`);
  process.exitCode = 1;
}
