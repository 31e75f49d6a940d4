// Runs every function that reads a caller's words over every awkward text, on a thread of its own: one that takes too long
// can be ended from outside. Says what it begins before it begins it.
import { parentPort } from 'node:worker_threads';
import { checkEmail, checkName } from '../../src/access/accounts.ts';
import { authenticate, createKey, keyName } from '../../src/access/keys.ts';
import { checkPassword } from '../../src/access/passwords.ts';
import { authenticateLink, verifyFile } from '../../src/access/signatures.ts';
import { addressGroup } from '../../src/access/throttle.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { parseColor } from '../../src/cards/color.ts';
import { loadHighlight } from '../../src/cards/html/highlight.ts';
import { initials } from '../../src/cards/initials.ts';
import { ogParameters } from '../../src/cards/parameters.ts';
import { directionOf, hanFormOf, markWords } from '../../src/cards/script.ts';
import { checkVariable, splitItems, textLimit } from '../../src/cards/variables.ts';
import { bodyParameters, createShapeCheck, readJsonObject } from '../../src/kernel/json-body.ts';
import { redact } from '../../src/kernel/log.ts';
import { nearestName } from '../../src/kernel/nearest-name.ts';
import { findInQuery, parse, readQuery, type Table } from '../../src/kernel/parameters.ts';
import { withoutSecrets } from '../../src/render/stored-meta.ts';
import { storedParameters, storedWarnings } from '../../src/render/usage-texts.ts';
import { expressionsOf } from './expressions.ts';
import { awkward, long } from './hostile-input.ts';

/** At this length a quadratic reader takes minutes, a linear one some milliseconds. */
const highlight = await loadHighlight();
const length = 400_000;

const nobody = { keys: { findForSigning: async () => undefined, findByHash: async () => undefined } } as never;
const noRoom = { keys: { create: async () => undefined } } as never;
const signature = `&signature=${'0'.repeat(64)}`;
const wish = { accountId: 'a', name: 'a', limit: 1 };
const page = { status: 200, codes: [] };
const meta = { width: 1, height: 1, renderTime: 1 };
const tables: readonly Table[] = [screenshotParameters, ogParameters];
const names = Object.keys(screenshotParameters);

const readers: Record<string, (text: string) => unknown> = {
  findInQuery: (text) => findInQuery(text, ['api_key', 'signature']),
  readQuery,
  'parse, each parameter': (text) => {
    for (const table of tables)
      for (const name of Object.keys(table))
        quietly(() => parse(new Map([[name, text]]), { [name]: table[name] } as Table));
  },
  'the shape of a body': (text) => createShapeCheck()(Buffer.from(text)),
  'the shape of a body, inside a text': (text) => createShapeCheck()(Buffer.from(`{"html":"${text}`)),
  'a JSON body': (text) => readJsonObject(Buffer.from(text)),
  'a JSON body, inside a text': (text) => readJsonObject(Buffer.from(`{"html":"${text}`)),
  'a JSON body, each parameter': (text) => {
    for (const table of tables)
      for (const name of [...Object.keys(table), 'a_items'])
        for (const value of [text, [text], { [text]: text }, [{ name: text, value: text, domain: text, path: text }]])
          quietly(() => parse(bodyParameters({ [name]: value }, table), { [name]: table[name] } as Table));
  },
  'parse, an unknown name': (text) => parse(new Map([[text, '1']]), ogParameters),
  'a signed link': (text) => authenticateLink(text, nobody),
  'a signed link with a signature': (text) => authenticateLink(`/v1/og?${text}${signature}`, nobody),
  'a link to a file': (text) => verifyFile(text, 'secret'),
  'a link to a file with a signature': (text) => verifyFile(`/v1/files/x?${text}${signature}`, 'secret'),
  'an API key': (text) => authenticate({ header: text }, nobody),
  redact,
  'redact, inside a URL': (text) => redact(`https://example.com/?token=${text}&${text}`),
  'redact, escaped': (text) => redact(`https://example.com/%3Ftoken%3D${text}%26token%3D${text}`),
  'redact, inside an escaped key': (text) => redact(`/sk%5Flive_${text}%25${text}sk%25${text}`),
  'stored parameters': (text) => storedParameters(new Map([['url', text], ...many(text)])),
  'stored warnings': (text) => storedWarnings([text, ...[...many(text)].flat()]),
  'stored metadata': (text) =>
    withoutSecrets({ ...meta, url: text, page: { ...page, finalUrl: text, title: text } as never, warnings: [text] }),
  nearestName: (text) => nearestName(text, names),
  parseColor,
  'a colour with blanks': (text) => parseColor(`rgb(${text}1,${text}2`),
  ...Object.fromEntries(
    (['text', 'items', 'color', 'image_url'] as const).map((type) => [
      `a variable of type ${type}`,
      (text: string) => checkVariable('x', text, { type, doc: '' }),
    ]),
  ),
  splitItems,
  addressGroup,
  checkEmail,
  'an address after its @': (text) => checkEmail(`a@${text}`),
  checkName,
  keyName,
  checkPassword,
  'a host of a key': (text) => createKey(noRoom, { ...wish, allowedHosts: [text] }),
  // What a card draws was checked before: it has so many characters at most.
  'the words of a card': (text) => {
    const words = text.slice(0, textLimit);
    for (const read of [initials, directionOf, hanFormOf, markWords]) read(words);
    for (const language of ['', 'ts', 'py', 'md', 'html', 'sql']) highlight(words, language);
  },
};

function* many(text: string): Generator<[string, string]> {
  for (let i = 0; i < 199; i++) yield [`${i}${text.slice(0, 190)}`, text.slice(0, 1000)];
}

function quietly(act: () => unknown): void {
  try {
    act();
  } catch {
    // A refusal is what most of it should get.
  }
}

function* cases(): Generator<[string, (text: string) => unknown]> {
  yield* Object.entries(readers);
  for (const { place, expression } of expressions)
    yield [`${place} ${expression}`, (text) => void text.replace(expression, '')];
}

const expressions = await expressionsOf();

for (const [reader, read] of cases())
  for (const [name, unit] of Object.entries(awkward)) {
    parentPort?.postMessage(`${reader}: ${name}`);
    const text = long(unit, length);
    try {
      await read(text);
    } catch {
      // As above.
    }
  }
parentPort?.postMessage('done');
