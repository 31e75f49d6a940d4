// The arguments of a tool call: checked as the API checks the fields of a JSON body, with the same error texts.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { bodyParameters } from '../kernel/json-body.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import type { Parameter } from '../kernel/parameters.ts';
import type { RequestParameters } from '../render/endpoint-tables.ts';
import type { Tool } from './tools.ts';

export type ToolArguments = {
  /** For the endpoint. */
  readonly parameters: RequestParameters;
  /** The value of an argument of the tool's own, or its default. */
  own<T>(name: string): T;
};

export function readArguments(
  { table, own, narrowed = [] }: Tool,
  given: Readonly<Record<string, unknown>>,
): ToolArguments {
  for (const name of Object.keys(given)) if (!Object.hasOwn(table, name)) throw unknownArgument(name, table);
  const all = bodyParameters(given, table);
  for (const [name, parameter] of Object.entries(table))
    if (parameter.required && !all.has(name))
      throw new Problem('missing_parameter', {
        parameter: name,
        message: `${name} is required: ${parameter.kind.expects}.`,
      });
  checkSource(table, all);
  for (const name of narrowed) ownValue(name, table[name], all.get(name));
  const values = new Map(own.map((name) => [name, ownValue(name, table[name], all.get(name))]));
  const parameters = new Map([...all].filter(([name]) => !own.includes(name)));
  return { parameters, own: <T>(name: string) => values.get(name) as T };
}

/** The API's own text for this tells of the body of a POST, which an agent cannot send. */
function checkSource(table: Tool['table'], given: RequestParameters): void {
  const sources = ['url', 'html', 'markdown'].filter((name) => Object.hasOwn(table, name));
  if (sources.length === 0 || sources.some((name) => given.has(name))) return;
  throw new Problem('missing_parameter', {
    parameter: 'url',
    message: `Give one of ${sources.join(', ')}; url is ${table.url?.kind.expects}.`,
  });
}

function ownValue(name: string, parameter: Parameter | undefined, text: string | undefined): unknown {
  if (text === undefined) return parameter?.default;
  const value = parameter?.kind.parse(text);
  if (value === undefined) throw invalidParameter(name, `${name} must be ${parameter?.kind.expects}.`);
  return value;
}

function unknownArgument(name: string, table: Tool['table']): Problem {
  const shown = name.slice(0, 40);
  const meant = nearestName(name, Object.keys(table));
  return invalidParameter(
    shown,
    meant === undefined
      ? `${shown}: unknown argument. This tool takes ${Object.keys(table).join(', ')}.`
      : `${shown}: unknown argument; did you mean ${meant}?`,
  );
}
