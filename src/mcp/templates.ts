// og_templates: the catalogue in few words, or one template with all of its variables.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Problem } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import type { TemplateFacts } from './backend.ts';
import { textBlock } from './results.ts';

export function templatesResult(templates: readonly TemplateFacts[], name: string | undefined): CallToolResult {
  if (name !== undefined) return oneTemplate(find(templates, name));
  const list = templates.map((template) => ({
    name: template.name,
    description: template.description,
    variables: Object.keys(template.variables),
  }));
  const lines = list.map(
    ({ name, description, variables }) => `${name}: ${description} Variables: ${variables.join(', ')}.`,
  );
  return { content: [textBlock(lines.join('\n'))], structuredContent: { templates: list } };
}

function oneTemplate({ name, description, variables, example }: TemplateFacts): CallToolResult {
  const lines = Object.entries(variables).map(
    ([variable, { type, doc, default: value }]) =>
      `${variable} (${type}): ${doc}${value === undefined ? '' : ` Default: ${value}`}`,
  );
  const text = [`${name}: ${description}`, ...lines, `Example: ${JSON.stringify(example)}`].join('\n');
  return { content: [textBlock(text)], structuredContent: { name, description, variables, example } };
}

function find(templates: readonly TemplateFacts[], name: string): TemplateFacts {
  const found = templates.find((template) => template.name === name);
  if (found !== undefined) return found;
  const names = templates.map((template) => template.name);
  const near = nearestName(name, names);
  throw new Problem('template_not_found', {
    parameter: 'template',
    message: `There is no template "${name}".${near ? ` Did you mean ${near}?` : ''} Templates: ${names.join(', ')}.`,
  });
}
