// The answer to tools/list. It is in the context of every conversation, so descriptions are one sentence of the table.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Parameter } from '../kernel/parameters.ts';
import type { TemplateFacts } from './backend.ts';
import { type Tool, tools } from './tools.ts';

export function toolList(templates: readonly TemplateFacts[]): ListedTool[] {
  const names = templates.map(({ name }) => name).join(', ');
  return Object.entries<Tool>(tools).map(([name, tool]) => ({
    name,
    description: name === 'og_card' ? `${tool.description} Templates: ${names}.` : tool.description,
    inputSchema: inputSchema(tool),
    // Nothing is changed anywhere: clients may call these without asking.
    annotations: { readOnlyHint: true },
  }));
}

function inputSchema({ table }: Tool): ListedTool['inputSchema'] {
  const required = Object.keys(table).filter((name) => table[name]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(table).map(([name, parameter]) => [name, propertyOf(parameter)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Lengths and patterns are left out: the error text tells them to those who break them. A format has an example. */
function propertyOf({ kind, doc, default: value, example }: Parameter): Record<string, string> {
  const { type, enum: options, minimum, maximum, pattern } = kind.schema as Record<string, string>;
  const examples = pattern === undefined || example === undefined ? undefined : [example];
  const description = firstSentence(doc);
  return JSON.parse(JSON.stringify({ type, enum: options, minimum, maximum, default: value, examples, description }));
}

const firstSentence = (doc: string): string => /^.*?\.(?= |$)/.exec(doc)?.[0] ?? doc;
