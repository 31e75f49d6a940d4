// What @duckduckgo/autoconsent is given: its script, the rules for one document, and what it may do.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { filterCompactRules, type IndexedCMPRuleset } from '@duckduckgo/autoconsent';

/** The function by which its script calls us. */
export const binding = 'tintypeConsent';

const config = {
  enabled: true,
  autoAction: 'optOut',
  // "reject" clicks a button that declines; the higher levels would also accept where nothing else is offered.
  heuristicMode: 'reject',
  enableHeuristicDetection: true,
  // Hidden early, a banner is not seen by its own rules any more.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  isMainWorld: false,
  detectRetries: 20,
  logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false },
};

// A binding takes text. Reports come at every step and carry the whole state; two words of it are of use.
const prelude = `
globalThis.autoconsentSendMessage = async (message) => {
  const { type, state } = message;
  const { lifecycle, findCmpAttempts } = state ?? {};
  ${binding}(JSON.stringify(type === 'report' ? { type, state: { lifecycle, findCmpAttempts } } : message));
};
`;

type ConsentFiles = { readonly script: string; readonly rules: IndexedCMPRuleset };
let parts: ConsentFiles | undefined;

/** Read at the first use: half a megabyte that a server without blockCookies never needs. */
function load(): ConsentFiles {
  const require = createRequire(import.meta.url);
  const bundle = join(dirname(require.resolve('@duckduckgo/autoconsent')), 'autoconsent.playwright.js');
  const rules = require.resolve('@duckduckgo/autoconsent/rules/compact-rules.json');
  return { script: prelude + readFileSync(bundle, 'utf8'), rules: JSON.parse(readFileSync(rules, 'utf8')) };
}

export function contentScript(): string {
  parts ??= load();
  return parts.script;
}

/** The answer to a script that has just begun in a document. */
export function firstAnswer(url: string, mainFrame: boolean): unknown {
  parts ??= load();
  const compact = filterCompactRules(parts.rules, { url, mainFrame });
  return { type: 'initResp', config, rules: { autoconsent: [], compact } };
}
