import { useState } from 'react';
import { CodeBlock } from '../../ui/copy.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** What to write where, so that an agent has the tools of this server. docs/mcp.md has the same. */
const clients = (baseUrl: string, key: string) => {
  const url = `${baseUrl}/mcp`;
  const headers = { 'X-API-Key': key };
  return [
    {
      value: 'claude-code',
      label: 'Claude Code',
      file: 'in a terminal',
      code: `claude mcp add --transport http tintype ${url} \\\n  --header "X-API-Key: ${key}"`,
    },
    {
      value: 'claude-desktop',
      label: 'Claude Desktop',
      file: 'claude_desktop_config.json',
      code: json({
        mcpServers: {
          tintype: {
            command: '/path/to/tintype/bin/tintype',
            args: ['mcp', '--server', baseUrl],
            env: { TINTYPE_KEY: key },
          },
        },
      }),
    },
    {
      value: 'cursor',
      label: 'Cursor',
      file: '~/.cursor/mcp.json',
      code: json({ mcpServers: { tintype: { url, headers } } }),
    },
    {
      value: 'vs-code',
      label: 'VS Code',
      file: '.vscode/mcp.json',
      code: json({ servers: { tintype: { type: 'http', url, headers } } }),
    },
  ];
};

export function AgentSetup({ baseUrl, secret }: { baseUrl: string; secret: string }) {
  const [client, setClient] = useState('claude-code');
  const tabs = clients(baseUrl, secret).map(({ value, label, file, code }) => ({
    value,
    label,
    content: <CodeBlock code={code} label={file} />,
  }));
  return <Tabs value={client} onChange={setClient} label="Agent" tabs={tabs} />;
}
