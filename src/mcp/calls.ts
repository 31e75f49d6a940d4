// Runs the tools: arguments → the backend → blocks for a model.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { invalidParameter } from '../kernel/errors.ts';
import { bodyParameters } from '../kernel/json-body.ts';
import { type RequestParameters, tables } from '../render/endpoint-tables.ts';
import { readArguments, type ToolArguments } from './arguments.ts';
import type { Backend, BackendRequest, TextResult } from './backend.ts';
import { pageResult } from './page-text.ts';
import { modelPicture } from './picture.ts';
import { pdfResult, pictureResult } from './results.ts';
import { templatesResult } from './templates.ts';
import { type ToolName, tools } from './tools.ts';

type Run = (given: ToolArguments, backend: Backend, signal: AbortSignal) => Promise<CallToolResult>;

const runs: Readonly<Record<ToolName, Run>> = {
  async screenshot({ parameters, own }, backend, signal) {
    const tile = own<number>('tile');
    const result = await backend.render({ endpoint: 'screenshot', ...partOf(parameters, tile > 1), signal });
    const picture = await modelPicture(result.bytes, tile, backend.accountId, signal);
    return pictureResult('Screenshot', result.facts, picture, tile);
  },

  async read_page({ parameters, own }, backend, signal) {
    const offset = own<number>('offset');
    const { facts } = await backend.render({ endpoint: 'content', ...partOf(parameters, offset > 0), signal });
    return pageResult(parameters.get('url'), facts as TextResult, offset, own('maxChars'));
  },

  async pdf({ parameters }, backend, signal) {
    const asPdf = new Map([...parameters, ['format', 'pdf']]);
    const { facts } = await backend.render({ endpoint: 'screenshot', parameters: asPdf, continues: false, signal });
    return pdfResult(facts);
  },

  async og_card({ parameters, own }, backend, signal) {
    const variables = readVariables(own('variables'));
    const all = new Map([...variables, ...parameters]);
    const result = await backend.render({ endpoint: 'og', parameters: all, continues: false, signal });
    const picture = await modelPicture(result.bytes, 1, backend.accountId, signal);
    return pictureResult('Card', result.facts, picture, 1);
  },

  async og_templates({ own }, backend, signal) {
    return templatesResult(await backend.templates(signal), own('template'));
  },
};

/** A variable has no other type than a text, so no table is needed to read it. */
function readVariables(given: Readonly<Record<string, unknown>> = {}): Map<string, string> {
  const variables = bodyParameters(given, {}, 'variables');
  for (const name of variables.keys())
    if (Object.hasOwn(tables.og, name))
      throw invalidParameter(name, `${name} is not a variable; where the tool takes it, it stands beside variables.`);
  return variables;
}

/** A later part is one of the result that is there already. */
const partOf = (
  parameters: RequestParameters,
  continues: boolean,
): Pick<BackendRequest, 'parameters' | 'continues'> => ({
  parameters: continues ? new Map([...parameters].filter(([name]) => name !== 'fresh')) : parameters,
  continues,
});

export const isTool = (name: string): name is ToolName => Object.hasOwn(tools, name);

/** Throws a Problem for what the caller did wrong. */
export const callTool = async (
  name: ToolName,
  given: Readonly<Record<string, unknown>>,
  backend: Backend,
  signal: AbortSignal,
): Promise<CallToolResult> => runs[name](readArguments(tools[name], given), backend, signal);
