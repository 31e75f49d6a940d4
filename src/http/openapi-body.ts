// The schema of a JSON body, from a table of parameters: every parameter in its own JSON type, or null.
import type { Kind } from '../kernel/kinds.ts';
import type { Parameter, Table } from '../kernel/parameters.ts';
import { plans } from '../kernel/plans.ts';

type Json = Record<string, unknown>;

/** Described elsewhere: a key and a signed link are security schemes, `response=json` is an operation of its own. */
const elsewhere = new Set(['api_key', 'key_id', 'expires', 'signature', 'response']);

export const isDescribedElsewhere = (name: string): boolean => elsewhere.has(name);

export function bodySchema(table: Table, otherNames: string): Json {
  const inBody = Object.entries(table).filter(([name]) => !elsewhere.has(name));
  const required = inBody.filter(([, parameter]) => parameter.required).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(inBody.map(([name, parameter]) => [name, propertyOf(parameter)])),
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'array', 'null'],
      items: { type: 'string' },
      description: otherNames,
    },
  };
}

/** The parameter's text in the reference: what it does, with which format, and from which plan on. */
export function describeParameter({ doc, onlyFormat, plan }: Parameter): string {
  const notes = [onlyFormat && `Only with format=${onlyFormat}.`, plan && `${plans[plan].label} plan or higher.`];
  return [doc, ...notes].filter(Boolean).join(' ');
}

/** The default is in words: openapi-typescript takes a property that has one for a required property. */
function propertyOf(parameter: Parameter): Json {
  const { kind, required, default: value, example } = parameter;
  return {
    description: `${describeParameter(parameter)}${value === undefined ? '' : ` Default: \`${value}\`.`}`,
    ...(required ? schemaOf(kind) : orNull(schemaOf(kind))),
    ...(example !== undefined && { examples: [exampleOf(kind, example)] }),
  };
}

function schemaOf({ schema, json, jsonLength: [minItems, maxItems] = [1, 4] }: Kind<unknown>): Json {
  if (json !== 'numbers') return schema;
  return { anyOf: [schema, { type: 'array', items: { type: 'number' }, minItems, maxItems }] };
}

/** `null` means "not given". */
function orNull(schema: Json): Json {
  if (Array.isArray(schema.anyOf)) return { anyOf: [...schema.anyOf, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  };
}

/** Examples are written as a query has them. */
export function exampleOf({ json, schema }: Kind<unknown>, example: string): unknown {
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return json === 'object' || json === 'array' || isNumber ? JSON.parse(example) : example;
}
