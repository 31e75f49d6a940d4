// The JSON body of a POST as parameters: every value becomes the text that a query would carry, so that both methods are
// validated, cached and recorded alike.
import { invalidParameter, Problem } from './errors.ts';
import type { Parameter, Table } from './parameters.ts';

/** Far more than 200 parameters have. Counted before the body is parsed: a million small values block the event loop. */
const mostValues = 10_000;

/** Parses the body. Throws 400 unless it is one JSON object in UTF-8. */
export function readJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const text = decodeUtf8(bytes);
  if (hasMoreValues(text, mostValues)) throw invalidBody(`The body has more than ${mostValues} values.`);
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
 * kept: they get a warning, or are variables of a template.
 */
export function bodyParameters(body: Readonly<Record<string, unknown>>, table: Table): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (name === 'api_key')
      throw invalidParameter(name, 'api_key may not be in the body; send it as a header or in the query.');
    if (value === null) continue;
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    parameters.set(name, parameter ? knownText(name, value, parameter) : otherText(name, value));
  }
  return parameters;
}

function knownText(name: string, value: unknown, { kind }: Parameter): string {
  const { type } = kind.schema;
  const wanted = kind.json === 'object' || kind.json === 'array' ? kind.json : jsonTypes[String(type)];
  if (wanted === typeOf(value))
    return wanted === 'object' || wanted === 'array' ? JSON.stringify(value) : String(value);
  if (kind.json === 'numbers' && Array.isArray(value) && value.every(Number.isFinite)) return value.join();
  const array = kind.json === 'numbers' ? ' or an array of numbers' : '';
  throw invalidParameter(
    name,
    `${name} must be ${kind.expects}; in JSON it is ${articles[wanted ?? 'string']}${array}.`,
  );
}

/** A name that the table does not have: a variable of a template, or a mistake. */
function otherText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    if (value.some((item: string) => /[\r\n]/.test(item)))
      throw invalidParameter(
        name.slice(0, 200),
        `${name.slice(0, 200)} has an item with a line break; each item is one line.`,
      );
    return value.join('\n');
  }
  throw invalidParameter(name.slice(0, 200), `${name.slice(0, 200)} must be a string or an array of strings.`);
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

/** Counts the separators outside of strings, in one pass. */
function hasMoreValues(text: string, most: number): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at + 1);
    else if ((character === ',' || character === '[' || character === '{') && ++values > most) return true;
  }
  return false;
}

/** Where the string that begins at `from` is closed. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
