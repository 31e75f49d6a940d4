import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mcpCommands } from '../../src/cli/mcp.ts';
import { tools } from '../../src/mcp/tools.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

it('docs/mcp.md names every tool with all of its arguments', () => {
  for (const [name, { table }] of Object.entries(tools)) {
    const [, taken = ''] = new RegExp(`^\\| \`${name}\` \\| (.*?) \\|`, 'm').exec(text) ?? [];
    expect([name, [...taken.matchAll(/`(\w+)`/g)].map(([, one]) => one)]).toEqual([name, Object.keys(table)]);
  }
});

it('its settings are JSON, and call tintype mcp with options that it has', () => {
  const settings = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));
  expect(settings).toHaveLength(7);
  const options = ['-o', ...Object.keys(mcpCommands[0]?.options ?? {}).map((name) => `--${name}`)];
  for (const { servers, mcpServers = servers } of settings) {
    const { command, args = [], url } = mcpServers.tintype;
    if (url !== undefined) expect(url).toBe('https://shots.example.com/mcp');
    else expect([command, args[0]]).toEqual(['/path/to/tintype/bin/tintype', 'mcp']);
    for (const word of args) if (word.startsWith('-')) expect(options).toContain(word);
  }
});
