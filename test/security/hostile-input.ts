// Input that means harm, for every place where a caller's bytes come in: long values of every awkward character, for every
// parameter of both tables in a query and in a body, every header that is read, and paths. Used by event-loop.test.ts and
// `npm run chaos -- blocked-by-input`. Bodies that are hostile as a whole are in hostile-bodies.ts.
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { ogParameters } from '../../src/cards/parameters.ts';
import type { Table } from '../../src/kernel/parameters.ts';

/** What parsers stumble over, as it is before it is encoded. */
export const awkward: Readonly<Record<string, string>> = {
  'question marks': '?',
  ampersands: '&',
  'equals signs': '=',
  'percent signs': '%',
  'escaped percent signs': '%25',
  'escapes of escapes': '%2525',
  pluses: '+',
  semicolons: ';',
  slashes: '/',
  backslashes: '\\',
  'double quotes': '"',
  'single quotes': "'",
  'less-than signs': '<',
  'opened brackets': '(',
  'opened square brackets': '[',
  'opened braces': '{',
  commas: ',',
  dots: '.',
  colons: ':',
  'at signs': '@',
  hashes: '#',
  dashes: '-',
  underlines: '_',
  stars: '*',
  spaces: ' ',
  tabs: '\t',
  'line feeds': '\n',
  'zero bytes': '\0',
  digits: '1',
  letters: 'a',
  'umlauts that grow in lower case': 'İ',
  'combining marks': '\u0301',
  ligatures: '\ufdfa',
  emoji: '👩‍👩‍👧',
  'lone surrogates': '\ud83d',
  'words in turn': 'a b ',
  'pairs of a query': 'a=b&',
  'names of a query': 'ab&',
  'broken names of a query': '%zz&',
  'secrets of a query': '&token=%26',
  'starts of comments': '/*',
  addresses: '://a',
  'functions of colours': 'rgb( ',
};

/** So many characters of it. */
export const long = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

export type HostileRequest = {
  readonly name: string;
  /** As it goes into the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a POST. */
  readonly body?: string;
};

// The request line and all headers are at most 384 KB.
const lineLength = 360_000;
/** The longest address whose query is read. */
const addressLength = 64_000;

const escaped = (text: string, length: number): string => {
  const one = encodeURIComponent(text.toWellFormed());
  return long(one, length).replace(/%[0-9A-F]?$/, '');
};

/** What can stand in a request line as it is: no blank, no control character, nothing beyond ASCII. */
const bare = (unit: string): boolean => /^[\x21-\x7e]+$/.test(unit) && !unit.includes('#');

/** As many characters as a parameter may have, and far more. `pick` chooses which characters each parameter gets. */
export function* hostileParameters(pick: (parameter: number, character: number) => boolean): Generator<HostileRequest> {
  // Refused by its address: nothing is dialled, whatever the other parameters are.
  const endpoints = [
    { path: '/v1/screenshot', table: screenshotParameters, needed: 'url=http%3A%2F%2F10.0.0.1%2F' },
    {
      path: '/v1/og',
      table: { ...ogParameters, title: 0, change_items: 0, avatar: 0, bgColor: 0, madeUp: 0 },
      needed: 'template=no-such',
    },
  ];
  let at = 0;
  for (const { path, table, needed } of endpoints)
    for (const parameter of Object.keys(table)) {
      at++;
      for (const [index, [name, unit]] of Object.entries(awkward).entries()) {
        if (!pick(at, index)) continue;
        const rest = needed.startsWith(`${parameter}=`) ? '' : `${needed}&`;
        for (const length of [3000, addressLength])
          yield {
            name: `${path} ${parameter}: ${length} ${name}`,
            path: `${path}?${rest}${parameter}=${escaped(unit, length)}`,
          };
      }
    }
}

const jsonHeaders = { 'content-type': 'application/json' };

/** The same in the body of a POST: 3 and 1,900 KB, as a text and inside the type that the parameter has. */
export function* hostileBodyParameters(
  pick: (parameter: number, character: number) => boolean,
): Generator<HostileRequest> {
  const others = Object.fromEntries(['title', 'change_items', 'avatar', 'madeUp'].map((name) => [name, undefined]));
  const endpoints = [
    {
      path: '/v1/screenshot',
      table: { ...screenshotParameters, madeUp: undefined },
      needed: { url: 'http://10.0.0.1/' },
    },
    { path: '/v1/og', table: { ...ogParameters, ...others }, needed: { template: 'no-such' } },
  ];
  let at = 0;
  for (const { path, table, needed } of endpoints)
    for (const [parameter, entry] of Object.entries<Table[string] | undefined>(table)) {
      at++;
      for (const [index, [name, unit]] of Object.entries(awkward).entries()) {
        if (!pick(at, index)) continue;
        for (const length of [3000, 1_900_000]) {
          const text = long(unit, length);
          // What comes in an object or an array of its own is tried inside of it.
          const value = {
            object: { [text.slice(0, 300)]: text, username: text },
            array: [{ name: text, value: text }],
          }[String(entry?.kind.json)];
          yield {
            name: `${path} ${parameter} in a body: ${length} ${name}`,
            path,
            headers: jsonHeaders,
            body: JSON.stringify({ ...needed, [parameter]: value ?? text }).slice(0, 4 * 1024 * 1024),
          };
        }
      }
    }
}

/** Queries that are no list of parameters, with and without a key, and more parameters than there may be. */
export function* hostileQueries(): Generator<HostileRequest> {
  for (const [name, unit] of Object.entries(awkward)) {
    const text = bare(unit) ? long(unit, addressLength) : escaped(unit, addressLength);
    yield { name: `a link to a file with ${name}`, path: `/v1/files/x?${text}` };
    yield { name: `a signed link with ${name}`, path: `/v1/screenshot?signature=1&${text}` };
    yield { name: `a signed card with ${name}`, path: `/v1/og?${text}&signature=${'0'.repeat(64)}` };
    yield { name: `a name of ${name}`, path: `/v1/screenshot?${escaped(unit, addressLength)}=1` };
    yield { name: `an address that is too long, with ${name}`, path: `/v1/screenshot?${escaped(unit, lineLength)}` };
    yield { name: `the example with ${name}`, path: `/api/example?title=${escaped(unit, 15_000)}` };
  }
  const numbered = (name: (index: number) => string) => Array.from({ length: 4_000 }, (_, i) => name(i)).join('&');
  for (const path of ['/v1/screenshot', '/v1/og']) {
    yield { name: `${path} with 4,000 parameters`, path: `${path}?${numbered((i) => `width${i}=1`)}` };
    yield { name: `${path} with 4,000 names alone`, path: `${path}?${numbered((i) => `fulpage${i}`)}` };
  }
}

/** Every header that the server or one of its parsers reads. */
const readHeaders = [
  'x-api-key',
  'authorization',
  'cookie',
  'if-none-match',
  'if-modified-since',
  'range',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'origin',
  'referer',
  'sec-fetch-site',
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-length',
  'expect',
  'user-agent',
];

const headerPaths = ['/v1/screenshot?url=http%3A%2F%2F10.0.0.1%2F', '/api/session', '/', '/favicon.svg'];

export function* hostileHeaders(pick: (header: number, character: number) => boolean): Generator<HostileRequest> {
  for (const [at, header] of readHeaders.entries())
    for (const [index, [name, unit]] of Object.entries(awkward).entries()) {
      if (!pick(at, index) || !/^[\x20-\x7e]+$/.test(unit)) continue;
      const prefix = header === 'cookie' ? 'tintype.session_token=' : header === 'range' ? 'bytes=' : '';
      for (const length of [30_000, 300_000])
        yield {
          name: `${header}: ${length} ${name}`,
          path: headerPaths[(at + index) % headerPaths.length] ?? '/',
          headers: { [header]: (prefix + long(unit, length)).trim() || 'x' },
        };
    }
}

export function* hostilePaths(): Generator<HostileRequest> {
  for (const [name, unit] of Object.entries(awkward)) {
    const text = bare(unit) && !unit.includes('?') ? long(unit, lineLength) : escaped(unit, lineLength);
    for (const before of ['/', '/v1/files/', '/api/captures/', '/assets/', '/docs/'])
      yield { name: `the path ${before} and ${name}`, path: before + text };
  }
}

/** Cards that are really painted, of the longest texts that are taken. */
export function* hostileCards(pick: (template: number, character: number) => boolean): Generator<HostileRequest> {
  const variables = {
    default: 'title',
    'code-snippet': 'code',
    'docs-page': 'title',
    'changelog-card': 'change_items',
  };
  for (const [at, [template, variable]] of Object.entries(variables).entries())
    for (const [index, [name, unit]] of Object.entries(awkward).entries()) {
      if (!pick(at, index)) continue;
      const text = long(unit, variable.endsWith('_items') ? 480 : 1990).toWellFormed();
      yield {
        name: `a card ${template} of ${name}`,
        path: `/v1/og?template=${template}&${variable}=${encodeURIComponent(text)}`,
      };
    }
}
