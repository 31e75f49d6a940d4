// The parameters and warnings of a request as its usage record keeps them: without secrets, and 8 KB at most in all. That is
// enough to recognise the request in a list.
import { hash } from 'node:crypto';
import { loginNames } from '../capture/login.ts';
import { redact } from '../kernel/log.ts';

/** Bytes of JSON; together 8 KB. */
const parametersBytes = 6 * 1024;
const warningsBytes = 2 * 1024;

const secrets = new Set(['api_key', 'signature', ...loginNames]);
/** An unknown parameter is kept with its value, unless it may be a misspelt secret. */
const misspeltSecret = /header|cookie|auth(?!or(?!i[sz]))|passw|token|secret|credential/i;
const harmless = new Set(['blockCookies', 'headerTemplate']);
/** Kept as their hash and length only. */
const sentPages = new Set(['html', 'markdown']);
/** What is rendered. The list shows a request by it, so it is kept whatever else is left out. */
const sourceNames = ['url', 'html', 'markdown', 'template'];
const longestValue = 500;
/** A longer name is refused, after it was recorded. */
const longestName = 200;

/** The parameters as JSON. A value that was cut ends in "…", and the name "…" says how many parameters were left out. */
export function storedParameters(query: ReadonlyMap<string, string>): string {
  const names = [...query.keys()].filter(
    (name) => harmless.has(name) || !(secrets.has(name) || misspeltSecret.test(name)),
  );
  const ordered = [
    ...sourceNames.filter((name) => query.has(name)),
    ...names.filter((name) => !sourceNames.includes(name)),
  ];
  const kept = within(parametersBytes, ordered, (name) => {
    const value = query.get(name) ?? '';
    const shown = sentPages.has(name) ? digest(value) : shortened(value, longestValue);
    return `${JSON.stringify(redact(name.slice(0, longestName)))}:${JSON.stringify(shown)}`;
  });
  const left = ordered.length - kept.length;
  if (left > 0) kept.push(`"…":"${left} more parameters"`);
  return `{${kept.join(',')}}`;
}

const digest = (text: string): string => `sha256:${hash('sha256', text, 'hex')}, ${text.length} characters`;

/** The warnings as a JSON array; the last one says how many were left out. */
export function storedWarnings(warnings: readonly string[]): string {
  if (warnings.length === 0) return '[]';
  const kept = within(warningsBytes, warnings, (text) => JSON.stringify(shortened(text, longestValue)));
  const left = warnings.length - kept.length;
  if (left > 0) kept.push(`"… ${left} more warnings"`);
  return `[${kept.join(',')}]`;
}

/** The first of these, as many as fit beside a sentence about the rest. */
function within<T>(bytes: number, all: readonly T[], write: (one: T) => string): string[] {
  const forTheSentence = 60;
  const kept: string[] = [];
  let room = bytes - forTheSentence;
  for (const one of all) {
    const text = write(one);
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) break;
    kept.push(text);
  }
  return kept;
}

// Cut before secrets are searched, at twice the length: a secret that crosses the final cut is still found whole.
function shortened(text: string, length: number): string {
  const clean = redact(text.slice(0, 2 * length));
  return text.length <= length && clean.length <= length ? clean : `${clean.slice(0, length)}…`;
}
