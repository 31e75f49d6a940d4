// The JSON body of a POST as parameters: every value becomes the text that a query would carry, so that both methods are
// validated, cached and recorded alike.
import { invalidParameter, Problem } from './errors.ts';
import { checkNames, type Parameter, type Table } from './parameters.ts';

/** Far more than 200 parameters have. Counted before the body is parsed: a million small values block the event loop. */
const mostValuesOfRequest = 10_000;
/** Cookies have 3. JSON.stringify calls itself for each level, and some thousands exceed the stack. */
const deepest = 32;

/** Parses a body whose chunks a ShapeCheck has seen. Throws 400 unless it is one JSON object in UTF-8. */
export function readJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const text = decodeUtf8(bytes);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidBody(`The body is not JSON${text === '' ? ': it is empty' : ''}.`);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('The body must be a JSON object, such as {"url": "https://example.com/"}.');
  return body as Record<string, unknown>;
}

/**
 * The values as a query would carry them. `null` means that a parameter is not given. Names that are not in the table are
 * kept: they get a warning, whatever their values are, or are `variables` of a template.
 */
export function bodyParameters(
  body: Readonly<Record<string, unknown>>,
  table: Table,
  others: 'warned' | 'variables' = 'warned',
): Map<string, string> {
  const parameters = new Map<string, string>();
  checkNames(Object.keys(body));
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue;
    if (name === 'api_key')
      throw invalidParameter(name, 'api_key may not be in the body; send it as a header or in the query.');
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    parameters.set(name, parameter ? knownText(name, value, parameter) : otherText(name, value, others));
  }
  return parameters;
}

function knownText(name: string, value: unknown, { kind }: Parameter): string {
  const { type } = kind.schema;
  const wanted = kind.json === 'object' || kind.json === 'array' ? kind.json : jsonTypes[String(type)];
  if (wanted === typeOf(value))
    return wanted === 'object' || wanted === 'array' ? JSON.stringify(value) : queryText(value);
  if (kind.json === 'numbers' && Array.isArray(value) && value.every(Number.isFinite))
    return value.map(queryText).join();
  const array = kind.json === 'numbers' ? ' or an array of numbers' : '';
  throw invalidParameter(
    name,
    `${name} must be ${kind.expects}; in JSON it is ${articles[wanted ?? 'string']}${array}.`,
  );
}

/** Numbers of a query have no exponent. */
const queryText = (value: unknown): string =>
  typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-6 ? value.toFixed(15) : String(value);

/** A name that the table does not have: a variable of a template, or a mistake, of which no object or list is kept. */
function otherText(name: string, value: unknown, others: 'warned' | 'variables'): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  if (others === 'warned') return `(${typeOf(value)})`;
  const isList = name.endsWith('_items');
  if (isList && Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    if (value.some((item: string) => /[\r\n]/.test(item)))
      throw invalidParameter(
        name.slice(0, 200),
        `${name.slice(0, 200)} has an item with a line break; each item is one line.`,
      );
    return value.join('\n');
  }
  const array = isList ? ' or an array of strings' : '';
  throw invalidParameter(name.slice(0, 200), `${name.slice(0, 200)} must be a string${array}.`);
}

type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

const typeOf = (value: unknown): JsonType => (Array.isArray(value) ? 'array' : (typeof value as JsonType));

const jsonTypes: Readonly<Record<string, JsonType>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

const articles: Readonly<Record<JsonType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

const invalidBody = (message: string): Problem => new Problem('invalid_body', { message });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody('The body is not UTF-8.');
  }
}

export type ShapeCheck = (chunk: Uint8Array) => void;

/**
 * Counts values and levels outside of strings, as the chunks of a body arrive. Throws 400 once there are too many, before
 * anything is parsed. On bytes: on a text, 4 MB of quotes took ten times as long.
 */
export function createShapeCheck(mostValues = mostValuesOfRequest): ShapeCheck {
  let values = 0;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      const meaning = meanings[byte];
      if (meaning === 0) continue;
      if (meaning === string) inString = true;
      else if (meaning === closing) depth--;
      else {
        if (++values > mostValues) throw invalidBody(`The body has more than ${mostValues} values.`);
        if (meaning === opening && ++depth > deepest) throw invalidBody(`The body has more than ${deepest} levels.`);
      }
    }
  };
}

const [quote, backslash] = [0x22, 0x5c];
const [string, separator, opening, closing] = [1, 2, 3, 4] as const;
/** By byte. Most have none, and a table is the fastest way to know that. */
const meanings = new Uint8Array(256);
for (const [characters, meaning] of [
  ['"', string],
  [',', separator],
  ['[{', opening],
  [']}', closing],
] as const)
  for (const character of characters) meanings[character.charCodeAt(0)] = meaning;
