// Bodies of up to 4 MB that are hostile as a whole: nesting, escapes, quotes, names given twice, names of prototypes, halves of
// characters. Each is one JSON text; some are none.
import { type HostileRequest, long } from './hostile-input.ts';

const mostBytes = 4 * 1024 * 1024;

/** As many units as fit between these into the largest body. */
const filled = (before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((mostBytes - Buffer.byteLength(before + after)) / Buffer.byteLength(unit))) + after;

const numbered = (count: number, one: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => one(index)).join()}}`;

// Refused by its address, so that nothing is dialled.
const target = '"url":"http://10.0.0.1/"';
const sent = '"baseUrl":"http://10.0.0.1/"';

export const hostileBodies: Readonly<Record<string, string>> = {
  'a page of letters': `{${sent},"html":"${'x'.repeat(2_000_000)}"}`,
  'a page of umlauts': `{${sent},"html":"${'ü'.repeat(2_000_000)}"}`,
  'a page of ideographs': filled(`{${sent},"html":"`, '漢', '"}'),
  'a page of quotes': `{${sent},"html":"${'\\"'.repeat(2_000_000)}"}`,
  'a page of backslashes': `{${sent},"html":"${'\\\\'.repeat(2_000_000)}"}`,
  'a page of escaped letters': filled(`{${sent},"html":"`, '\\u0041', '"}'),
  'a page of escaped ideographs': filled(`{${sent},"html":"`, '\\u6f22', '"}'),
  'a page of halves of characters': filled(`{${sent},"html":"`, '\\ud83d', '"}'),
  'too long a page of quotes': filled(`{${sent},"html":"`, '\\"', '"}'),
  'a page that is not closed': filled(`{${sent},"html":"`, '\\"', ''),
  'a page that ends in an escape': filled(`{${sent},"html":"`, 'x', '\\'),
  'a text of quotes': filled(`{${target},"customCSS":"`, '\\"', '"}'),
  'a million empty texts': filled('{"a":', '""', '}'),
  'a million blanks': filled('{', ' ', '}'),
  'a million digits': filled(`{${target},"width":`, '1', '}'),
  'a million digits after the point': filled(`{${target},"width":1.`, '1', '}'),
  'a million colons': filled('{"width":', ':', '}'),
  'a million commas': filled('{"width":1', ',', '}'),
  'a million zero bytes': filled('{', '\0', '}'),
  'nested arrays without an end': filled('{"a":', '[', ''),
  'nested objects without an end': filled('', '{"a":', ''),
  'closed arrays that were never opened': filled('{"a":', ']', ''),
  'nested arrays where cookies belong': `{${target},"cookies":${'['.repeat(9000)}${']'.repeat(9000)}}`,
  'nested objects where headers belong': `{${target},"headers":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`,
  'nested arrays in an unknown name': `{${target},"a":${'['.repeat(9000)}${']'.repeat(9000)}}`,
  'a name given a million times': filled('{', '"a":1,', '"a":1}'),
  'a name given 9,000 times': `{${'"width":1,'.repeat(9000)}${target}}`,
  '9,000 long names': numbered(9000, (i) => `"${'n'.repeat(400)}${i}":1`),
  '9,000 names of digits': numbered(9000, (i) => `"${i * 65_536}":1`),
  'one name of 4 MB': filled('{"', 'n', '":1}'),
  '9,000 long headers': `{${target},"headers":${numbered(9000, (i) => `"${'h'.repeat(400)}${i}":"x"`)}}`,
  'one header of 4 MB': filled(`{${target},"headers":{"a":"`, 'x', '"}}'),
  '3,000 long cookies': `{${target},"cookies":[${Array.from({ length: 3000 }, (_, i) => `{"name":"a${i}","value":"${'x'.repeat(1200)}"}`).join()}]}`,
  '9,000 long items': `{${target},"a_items":[${long('"x",', 36_000)}"x"]}`,
  'names of prototypes': `{${target},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}`,
  'the name of a prototype as a text': `{${target},"__proto__":"x","hasOwnProperty":"x","constructor":"x"}`,
  'prototypes in headers and cookies': `{${target},"headers":{"__proto__":{"polluted":1}},"cookies":[{"__proto__":{"polluted":1},"name":"a","value":"b"}]}`,
  'a header named as a prototype': `{${target},"headers":{"__proto__":"x","constructor":"y"}}`,
  'a password of a prototype': `{${target},"basicAuth":{"__proto__":{"username":"a","password":"b"}}}`,
};

/** Each of them as a request to both endpoints. */
export function* hostileBodyRequests(): Generator<HostileRequest> {
  for (const [name, body] of Object.entries(hostileBodies))
    for (const path of ['/v1/screenshot', '/v1/og'])
      yield { name: `${path} with ${name}`, path, headers: { 'content-type': 'application/json' }, body };
}
