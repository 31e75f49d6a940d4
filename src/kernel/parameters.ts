// A table of parameters describes the input of an endpoint. Validation, the text of the 400, the required plan, the cache
// key, OpenAPI and the documentation are derived from it.
import { hash } from 'node:crypto';
import { invalidParameter, Problem } from './errors.ts';
import type { FormatName } from './formats.ts';
import type { Kind } from './kinds.ts';
import { type PlanName, planIncludes, plans } from './plans.ts';

export type Parameter<T = unknown> = {
  readonly kind: Kind<T>;
  /** The value if none is given; without a default it is undefined. */
  readonly default?: T;
  readonly required?: true;
  /** The lowest plan that may set another value than the default. */
  readonly plan?: PlanName;
  /** When the value is part of the cache key: always, if it is not the default, or never. */
  readonly cache: 'always' | 'changed' | 'never';
  /** When the value takes effect. The stages are in the order of a render. */
  readonly stage: Stage;
  /** Used, and limited to a plan, only with this format. It is always validated. */
  readonly onlyFormat?: FormatName;
  /** Taken from the body of a POST only: too long for an address, or a secret. */
  readonly onlyBody?: 'long' | 'secret';
  /** One or two sentences for the reference. */
  readonly doc: string;
  readonly example?: string;
};

export type Stage = 'target' | 'viewport' | 'before load' | 'after load' | 'capture' | 'answer';

export type Table = Readonly<Record<string, Parameter>>;

type ValueOf<P> = P extends { kind: Kind<infer T> } ? T : never;

/** The type of a table's values: only a parameter that is optional and has no default may be undefined. */
export type Values<T extends Table> = {
  readonly [K in keyof T]: T[K] extends { default: unknown } | { required: true }
    ? ValueOf<T[K]>
    : ValueOf<T[K]> | undefined;
};

export type Parsed<T extends Table> = {
  readonly values: Values<T>;
  /** The parameters that the caller gave. */
  readonly given: ReadonlySet<string>;
  /** Parameters that are not in the table, with their values. */
  readonly unknown: ReadonlyMap<string, string>;
};

/** Limits of one request. */
const maxParameters = 200;
const maxNameLength = 200;

/**
 * Parses a query: every name with its decoded value. Refuses malformed escapes, a name given twice, and too many names.
 */
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
 * The values of these names, at most two of each, in their order. It ignores mistakes: it runs before authentication,
 * when the caller must not learn what is wrong with the query, nor make us parse all of it.
 */
export function findInQuery(raw: string, names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const lengths = names.map((name) => name.length);
  const shortest = Math.min(...lengths);
  // An escaped character is three characters long.
  const longest = 3 * Math.max(...lengths);
  for (const pair of pairsOf(raw, shortest)) {
    const at = pair.slice(0, longest + 1).indexOf('=');
    const end = at < 0 ? pair.length : at;
    if (end < shortest || end > longest) continue;
    const name = plain(pair.slice(0, end));
    if (!names.includes(name)) continue;
    const values = found.get(name) ?? [];
    found.set(name, values);
    // Two are enough to see that a name is given twice.
    if (values.length < 2) values.push(plain(pair.slice(end + 1).replaceAll('+', ' ')));
  }
  return found;
}

/** The pairs between the "&" that have at least this many characters, one at a time. */
function* pairsOf(raw: string, shortest = 1): Generator<string> {
  for (let from = 0; from < raw.length; ) {
    const next = raw.indexOf('&', from);
    const to = next < 0 ? raw.length : next;
    if (to - from >= shortest) yield raw.slice(from, to);
    from = to + 1;
  }
}

// Decodes ASCII only, which is enough for the names and values that are looked for. A malformed escape stays as it is:
// decodeURIComponent would throw, and 100,000 exceptions would block the event loop.
const plain = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** Throws if there are too many names, or one is too long. */
export function checkNames(names: readonly string[]): void {
  if (names.length > maxParameters) throw tooManyParameters();
  for (const name of names) if (name.length > maxNameLength) throw nameTooLong(name);
}

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

/** Throws for parameters that are taken from a body only. */
export function refuseBodyParameters(query: ReadonlyMap<string, string>, table: Table): void {
  for (const name of query.keys()) {
    const onlyBody = Object.hasOwn(table, name) ? table[name]?.onlyBody : undefined;
    if (onlyBody !== undefined)
      throw new Problem(onlyBody === 'secret' ? 'secret_in_url' : 'invalid_parameter', {
        parameter: name,
        message: notInUrl(name, onlyBody),
      });
  }
}

/** Why such a parameter is not taken from an address. */
export const notInUrl = (name: string, onlyBody: 'long' | 'secret'): string =>
  onlyBody === 'secret'
    ? `${name} is a secret, and an address is kept in logs and histories; send it in the body of a POST.`
    : `${name} is taken from the body of a POST only.`;

/** Validates a query against the table, in the table's order. Throws for the first invalid parameter. */
export function parse<T extends Table>(query: ReadonlyMap<string, string>, table: T): Parsed<T> {
  checkNames([...query.keys()]);
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  for (const [name, parameter] of Object.entries(table)) {
    const text = query.get(name);
    if (text === undefined) {
      if (parameter.required)
        throw new Problem('missing_parameter', {
          parameter: name,
          message: `${name} is required: ${parameter.kind.expects}.`,
        });
      values[name] = parameter.default;
      continue;
    }
    const value = parameter.kind.parse(text);
    if (value === undefined) throw refused(name, parameter.kind, text);
    values[name] = value;
    given.add(name);
  }
  const unknown = new Map([...query].filter(([name]) => !Object.hasOwn(table, name)));
  return { values: values as Values<T>, given, unknown };
}

function refused(name: string, { expects, meant }: Kind<unknown>, text: string): Problem {
  const guess = meant?.(text);
  return invalidParameter(name, `${name} must be ${expects}${guess === undefined ? '.' : `; did you mean ${guess}?`}`);
}

/** Does the value differ from the default? */
const differsFromDefault = (parameter: Parameter, value: unknown): boolean =>
  value !== undefined &&
  value !== parameter.default &&
  (typeof value !== 'object' || encodeValue(value) !== encodeValue(parameter.default));

/** An object or list without anything asks for nothing. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Throws 403 for the first parameter that the plan does not include. */
export function checkPlan(table: Table, values: Readonly<Record<string, unknown>>, plan: PlanName): void {
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.plan === undefined || planIncludes(plan, parameter.plan)) continue;
    if (parameter.onlyFormat !== undefined && values.format !== parameter.onlyFormat) continue;
    if (!differsFromDefault(parameter, values[name]) || isEmpty(values[name])) continue;
    throw new Problem('plan_required', {
      parameter: name,
      requiredPlan: parameter.plan,
      message: `${name} needs the ${plans[parameter.plan].label} plan or higher; this key is on ${plans[plan].label}.`,
    });
  }
}

/** The names and values that identify a result, in the table's order. */
export function cacheFields(table: Table, values: Readonly<Record<string, unknown>>): [string, string][] {
  const fields: [string, string][] = [];
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.cache === 'never') continue;
    if (parameter.onlyFormat !== undefined && values.format !== parameter.onlyFormat) continue;
    if (parameter.cache === 'changed' && !differsFromDefault(parameter, values[name])) continue;
    fields.push([name, encodeValue(values[name])]);
  }
  return fields;
}

/** Longer than every parameter but a page that is sent. Such a text is hashed: JSON of two million quotes takes 50 ms. */
const longText = 100_000;

const encodeValue = (value: unknown): string =>
  typeof value === 'string' && value.length > longText
    ? `sha256:${hash('sha256', Buffer.from(value, 'utf16le'), 'hex')}`
    : (JSON.stringify(value) ?? 'null');

/** The number of unknown names that get a warning of their own. */
const mostNamed = 20;

/** A warning for each of these names, and one for the number of those left out. */
export function warnOfUnknown(names: readonly string[], sentence: (name: string) => string): string[] {
  const warnings = names.slice(0, mostNamed).map(sentence);
  const left = names.length - warnings.length;
  return left === 0 ? warnings : [...warnings, `${left} more unknown parameters`];
}
