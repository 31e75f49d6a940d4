// The input of @duckduckgo/autoconsent: its script, the rules for one document, and its configuration.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { filterCompactRules, type IndexedCMPRuleset } from '@duckduckgo/autoconsent';

/** The binding through which its script calls the server. */
export const binding = 'tintypeConsent';

const config = {
  enabled: true,
  autoAction: 'optOut',
  // "reject" clicks a button that declines; higher levels would also accept if there is no other button.
  heuristicMode: 'reject',
  enableHeuristicDetection: true,
  // The rules do not find a banner that was hidden early.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  isMainWorld: false,
  detectRetries: 20,
  logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false },
};

// A binding takes a string. Reports are sent at every step with the whole state; only two fields are used.
const prelude = `
globalThis.autoconsentSendMessage = async (message) => {
  const { type, state } = message;
  const { lifecycle, findCmpAttempts } = state ?? {};
  ${binding}(JSON.stringify(type === 'report' ? { type, state: { lifecycle, findCmpAttempts } } : message));
};
`;

type ConsentFiles = { readonly script: string; readonly rules: IndexedCMPRuleset };
let parts: ConsentFiles | undefined;

/** Read at the first use: half a megabyte, only needed for blockCookies. */
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

/** The response to a script that has just started in a document. */
export function firstAnswer(url: string, mainFrame: boolean): unknown {
  parts ??= load();
  const compact = filterCompactRules(parts.rules, { url, mainFrame });
  return { type: 'initResp', config, rules: { autoconsent: [], compact } };
}
