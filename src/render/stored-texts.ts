// What is kept of a request's words in the account's usage: without secrets, and never more than 8 KB in all. It is enough
// to recognise a request by; nobody reads 50,000 characters of CSS in a list.
import { redact } from '../kernel/log.ts';

/** Bytes of JSON; together 8 KB. */
const parametersBytes = 6 * 1024;
const warningsBytes = 2 * 1024;

const secrets = new Set(['api_key', 'signature']);
/** What a request is called by in the list: kept whatever else is left out. */
const subjects = ['url', 'template'];
const longestValue = 500;

/** The parameters as JSON. What is cut ends in "…", and under the name "…" stands how many were left out. */
export function storedParameters(query: ReadonlyMap<string, string>): string {
  const names = [...query.keys()].filter((name) => !secrets.has(name));
  const ordered = [...subjects.filter((name) => query.has(name)), ...names.filter((name) => !subjects.includes(name))];
  const kept = within(parametersBytes, ordered, (name) => {
    return `${JSON.stringify(redact(name))}:${JSON.stringify(shortened(query.get(name) ?? '', longestValue))}`;
  });
  const left = ordered.length - kept.length;
  if (left > 0) kept.push(`"…":"${left} more parameters"`);
  return `{${kept.join(',')}}`;
}

/** The warnings as a JSON array; the last one says how many were left out. */
export function storedWarnings(warnings: readonly string[]): string {
  if (warnings.length === 0) return '[]';
  const kept = within(warningsBytes, warnings, (text) => JSON.stringify(shortened(text, longestValue)));
  const left = warnings.length - kept.length;
  if (left > 0) kept.push(`"… ${left} more warnings"`);
  return `[${kept.join(',')}]`;
}

/** As many of these, from the first on, as fit beside a sentence about the others. */
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

// Cut before it is searched for secrets, with room for one that the cut would go through.
function shortened(text: string, length: number): string {
  const clean = redact(text.slice(0, 2 * length));
  return text.length <= length && clean.length <= length ? clean : `${clean.slice(0, length)}…`;
}
