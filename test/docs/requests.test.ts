// The requests that readers copy from the documentation.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parametersIn } from '../../src/render/endpoint-tables.ts';
import type { Endpoint } from '../../src/render/validated-request.ts';
import { testValidator } from '../harness/validator.ts';

const root = join(import.meta.dirname, '../..');
const files = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];

type Body = Readonly<Record<string, unknown>>;

const validate = testValidator();

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null;

/** Blocks of JSON, bodies of curl, and the lines of a file for `tintype batch`. */
function bodiesIn(text: string): Body[] {
  const texts = [
    /```json\n(.*?)```/gs,
    /--(?:json|data) '(.*?)'/gs,
    /^ {4}(\{"url".*?\})$/gms,
    /^\| `(\{".*?\})` \|/gm,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, json = '']) => json));
  return texts.flatMap((json) => {
    try {
      return [JSON.parse(json) as Body];
    } catch {
      return []; // results, of which parts are left out
    }
  });
}

/** A request, the one in a job, or those of a batch. Results and errors have no place among them. */
function requestsOf(body: Body): [endpoint: Endpoint, request: Body][] {
  if (Array.isArray(body.requests)) return body.requests.flatMap(requestsOf);
  if (isObject(body.request)) return [[body.kind as Endpoint, body.request]];
  const isResult = ['requestId', 'words', 'imageUrl', 'status'].some((name) => name in body);
  if (isResult || !['url', 'html', 'markdown', 'template'].some((name) => typeof body[name] === 'string')) return [];
  const { kind = 'template' in body ? 'og' : 'screenshot', ...request } = body;
  return [[kind as Endpoint, request]];
}

const cases = files.flatMap((file) =>
  bodiesIn(readFileSync(join(root, file), 'utf8'))
    .flatMap(requestsOf)
    .map(([endpoint, request]): [string, Endpoint, Body] => [file, endpoint, request]),
);

it('the documentation has requests with a JSON body', () => {
  expect(cases.length).toBeGreaterThan(8);
});

it.each(cases)(
  '%s: a request to %s is one that the service takes, without a warning: %j',
  async (_, endpoint, request) => {
    const account = { id: 'a1', plan: 'pro' } as const;
    const { warnings } = await validate(endpoint, parametersIn(endpoint, request), { account, signed: false });
    expect(warnings).toEqual([]);
  },
);
