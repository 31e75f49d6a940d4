// A table of parameters is the one description of an endpoint's input: validation, the text of the
// 400, the plan gate, the cache key, OpenAPI, the docs and the boundary tests are derived from it.
import { invalidParameter, Problem } from './errors.ts';
import type { FormatName } from './formats.ts';
import type { Kind } from './kinds.ts';
import { type PlanName, planIncludes, plans } from './plans.ts';

export type Parameter<T = unknown> = {
  readonly kind: Kind<T>;
  /** The value where none is given. Without one the parameter is undefined when absent. */
  readonly default?: T;
  readonly required?: true;
  /** The lowest plan that may ask for something else than the default. */
  readonly plan?: PlanName;
  /** In the cache key: always, when it is not its default, or never. */
  readonly cache: 'always' | 'changed' | 'never';
  /** What the value acts on; the order of the stages is the order of a render. */
  readonly stage: Stage;
  /** Gated and used only with this format. It is checked always. */
  readonly onlyFormat?: FormatName;
  /** One or two sentences for the reference. */
  readonly doc: string;
  readonly example?: string;
};

export type Stage = 'target' | 'viewport' | 'before load' | 'after load' | 'capture' | 'answer';

export type Table = Readonly<Record<string, Parameter>>;

type ValueOf<P> = P extends { kind: Kind<infer T> } ? T : never;

/** The TypeScript type of a table's values: what has a default or is required is always there. */
export type Values<T extends Table> = {
  readonly [K in keyof T]: T[K] extends { default: unknown } | { required: true }
    ? ValueOf<T[K]>
    : ValueOf<T[K]> | undefined;
};

export type Parsed<T extends Table> = {
  readonly values: Values<T>;
  /** The parameters the caller wrote, as opposed to those that have their default. */
  readonly given: ReadonlySet<string>;
  /** Parameters the table does not know, with their values. */
  readonly unknown: ReadonlyMap<string, string>;
};

/** Bounds of one request. What is read, warned of and stored for it follows from them. */
export const maxParameters = 200;
export const maxNameLength = 200;

/** A query as sent: every name with its decoded value. Refuses broken escapes, a name given twice and more than the bounds. */
export function readQuery(raw: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of pairsOf(raw)) {
    if (query.size === maxParameters) throw tooManyParameters();
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    if (name === undefined)
      throw invalidParameter(pair.slice(0, 40), 'The query has a malformed percent-escape in a parameter name.');
    if (name.length > maxNameLength) throw nameTooLong(name);
    const value = decode(at < 0 ? '' : pair.slice(at + 1));
    if (value === undefined)
      throw invalidParameter(name, `${name} has a malformed percent-escape; "%" itself is written %25.`);
    if (query.has(name)) throw invalidParameter(name, `${name} is given twice; give it once.`);
    query.set(name, value);
  }
  return query;
}

/**
 * The values of these names, at most two of each, in their order. Lenient: for a caller who is not known yet, from
 * whom the whole query is not read and who is not told what is wrong with it.
 */
export function findInQuery(raw: string, names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const lengths = names.map((name) => name.length);
  const shortest = Math.min(...lengths);
  // An escaped letter takes three characters.
  const longest = 3 * Math.max(...lengths);
  for (const pair of pairsOf(raw, shortest)) {
    const at = pair.slice(0, longest + 1).indexOf('=');
    const end = at < 0 ? pair.length : at;
    if (end < shortest || end > longest) continue;
    const name = plain(pair.slice(0, end));
    if (!names.includes(name)) continue;
    const values = found.get(name) ?? [];
    found.set(name, values);
    // Twice is as good as often for whoever asks.
    if (values.length < 2) values.push(plain(pair.slice(end + 1).replaceAll('+', ' ')));
  }
  return found;
}

/** The pieces between the "&" that have so many characters; one at a time, so that who has enough reads no more. */
function* pairsOf(raw: string, shortest = 1): Generator<string> {
  for (let from = 0; from < raw.length; ) {
    const next = raw.indexOf('&', from);
    const to = next < 0 ? raw.length : next;
    if (to - from >= shortest) yield raw.slice(from, to);
    from = to + 1;
  }
}

// For names and values of ASCII, which is all that is looked for. What is no escape stays as it is: an exception for each of
// 100,000 broken names would hold everybody up.
const plain = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

const tooManyParameters = (): Problem =>
  new Problem('invalid_parameter', { message: `A request has at most ${maxParameters} parameters.` });

const nameTooLong = (name: string): Problem => {
  const shown = `${name.slice(0, 40)}…`;
  return invalidParameter(shown, `The name of a parameter has at most ${maxNameLength} characters; see ${shown}`);
};

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Checks a whole query against the table, in the table's order; the first bad parameter is the error. */
export function parse<T extends Table>(query: ReadonlyMap<string, string>, table: T): Parsed<T> {
  if (query.size > maxParameters) throw tooManyParameters();
  for (const name of query.keys()) if (name.length > maxNameLength) throw nameTooLong(name);
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  for (const [name, parameter] of Object.entries(table)) {
    const text = query.get(name);
    if (text === undefined) {
      if (parameter.required)
        throw new Problem('missing_parameter', {
          parameter: name,
          message: `${name} is required: ${parameter.kind.says}.`,
        });
      values[name] = parameter.default;
      continue;
    }
    const value = parameter.kind.parse(text);
    if (value === undefined) throw invalidParameter(name, `${name} must be ${parameter.kind.says}.`);
    values[name] = value;
    given.add(name);
  }
  const unknown = new Map([...query].filter(([name]) => !Object.hasOwn(table, name)));
  return { values: values as Values<T>, given, unknown };
}

/** Does this value ask for something the default does not give? */
export const asksForMore = (parameter: Parameter, value: unknown): boolean =>
  value !== undefined &&
  value !== parameter.default &&
  (typeof value !== 'object' || encodeValue(value) !== encodeValue(parameter.default));

/** Throws the 403 for the first parameter that the plan does not include. */
export function checkPlan(table: Table, values: Readonly<Record<string, unknown>>, plan: PlanName): void {
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.plan === undefined || planIncludes(plan, parameter.plan)) continue;
    if (parameter.onlyFormat !== undefined && values.format !== parameter.onlyFormat) continue;
    if (!asksForMore(parameter, values[name])) continue;
    throw new Problem('plan_required', {
      parameter: name,
      requiredPlan: parameter.plan,
      message: `${name} needs the ${plans[parameter.plan].label} plan or higher; this key is on ${plans[plan].label}.`,
    });
  }
}

/** The pairs of name and value that make two requests the same request, in the table's order. */
export function cacheFields(table: Table, values: Readonly<Record<string, unknown>>): [string, string][] {
  const fields: [string, string][] = [];
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.cache === 'never') continue;
    if (parameter.onlyFormat !== undefined && values.format !== parameter.onlyFormat) continue;
    if (parameter.cache === 'changed' && !asksForMore(parameter, values[name])) continue;
    fields.push([name, encodeValue(values[name])]);
  }
  return fields;
}

const encodeValue = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** So many unknown names are looked at and told of; a request that has more is told how many. */
const mostTold = 20;

/** A sentence for each of these names, and one for those that are left out. */
export function tellOfUnknown(names: readonly string[], sentence: (name: string) => string): string[] {
  const told = names.slice(0, mostTold).map(sentence);
  const left = names.length - told.length;
  return left === 0 ? told : [...told, `${left} more unknown parameters`];
}

/** The known name nearest to a misspelt one, if one is near enough to be meant. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > maxNameLength) return undefined;
  const asked = wrong.toLowerCase().replaceAll(/[_-]/g, '');
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.ceil(wrong.length / 3) + 1);
  for (const name of names) {
    const distance = editDistance(asked, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return 99;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 99;
}
