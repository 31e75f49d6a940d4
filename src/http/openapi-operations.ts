// The operations of an endpoint that renders: GET and POST, each for the result itself and for JSON about it.
import type { Table } from '../kernel/parameters.ts';
import { describeParameter, exampleOf, isDescribedElsewhere } from './openapi-body.ts';
import { errors, notModified, ref, resultResponse } from './openapi-responses.ts';

type Json = Record<string, unknown>;

export const keys = [{ header: [] }, { bearer: [] }, { query: [] }];
/** A GET may also be a signed link. */
const keysOrLink = [...keys, { linkKey: [], linkSignature: [] }];

const getErrors = [400, 401, 403, 416, 422, 429, 502, 504];
const postErrors = [400, 401, 403, 413, 415, 422, 429, 502, 504];
const without = (statuses: readonly number[], ...left: number[]) => statuses.filter((status) => !left.includes(status));

type Operations = {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly get: Json & { readonly parameters: readonly Json[] };
  readonly post: Json & { readonly summary: string };
  readonly bytes: Json;
  readonly json: { readonly schema: string; readonly summary: string };
  /** Statuses that only captures have. */
  readonly never?: readonly number[];
};

/** GET and POST, each for the result itself and for JSON about it. */
export function pathsOf({ path, id, tag, get, post, bytes, json, never = [] }: Operations): Json {
  const common = { tags: [tag] };
  const { 206: _, ...whole } = bytes as { 206?: Json };
  const about = { ...resultResponse(json.schema, 'JSON about the result.'), ...notModified };
  const note = `The same as ${path} with \`response=json\`.`;
  const byGet = { ...common, security: keysOrLink, ...get };
  return {
    [path]: {
      get: {
        operationId: id,
        ...byGet,
        responses: { ...bytes, ...notModified, ...errors(without(getErrors, ...never)) },
      },
      post: {
        ...{ operationId: `${id}ByPost`, ...common, ...post },
        responses: { ...whole, ...notModified, ...errors(without(postErrors, ...never)) },
      },
    },
    [`${path}.json`]: {
      get: {
        ...{ operationId: `${id}Json`, ...byGet, summary: json.summary, description: note },
        responses: { ...about, ...errors(without(getErrors, 416, ...never)) },
      },
      post: {
        ...{ operationId: `${id}JsonByPost`, ...common, ...post, summary: `${json.summary}, with a JSON body` },
        ...{ description: note, responses: { ...about, ...errors(without(postErrors, ...never)) } },
      },
    },
  };
}

/** A GET has no page to send, so `url` is required and `baseUrl` has no use. */
export function inQuery({ baseUrl: _, ...table }: Table): Table {
  return { ...table, ...(table.url && { url: { ...table.url, required: true } }) };
}

export const jsonBody = (schema: string, examples: Readonly<Record<string, Json>>): Json => ({
  required: true,
  description: 'One JSON object of at most 4 MB.',
  content: {
    'application/json': {
      schema: ref(schema),
      // Names in a document have no blanks.
      examples: Object.fromEntries(
        Object.entries(examples).map(([summary, value]) => [summary.replaceAll(' ', '-'), { summary, value }]),
      ),
    },
  },
});

/** The parameters that a query may have. */
export const parametersOf = (table: Table): Json[] =>
  Object.entries(table)
    .filter(([name, { onlyBody }]) => !isDescribedElsewhere(name) && onlyBody === undefined)
    .map(([name, parameter]) => ({
      name,
      in: 'query',
      ...(parameter.required && { required: true }),
      description: describeParameter(parameter),
      schema: { ...parameter.kind.schema, ...(parameter.default !== undefined && { default: parameter.default }) },
      ...(parameter.example !== undefined && { example: exampleOf(parameter.kind, parameter.example) }),
    }));
