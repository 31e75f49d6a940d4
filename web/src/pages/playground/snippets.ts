// The request of the form as code in several languages. The code reads the key from the environment.
import type { EndpointName } from '../../api.ts';
import type { Values } from './state.ts';

export type Snippet = { readonly value: string; readonly label: string; readonly code: string };

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const js = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
const python = (text: string) => JSON.stringify(text);
const php = (text: string) =>
  /[\n\r]/.test(text)
    ? JSON.stringify(text).replaceAll('$', '\\$')
    : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const fileName = (endpoint: EndpointName, values: Values) =>
  `${endpoint === 'og' ? 'card' : 'screenshot'}.${values.format ?? 'png'}`;

export function snippets(baseUrl: string, endpoint: EndpointName, values: Values): readonly Snippet[] {
  const url = `${baseUrl}/v1/${endpoint}`;
  const file = fileName(endpoint, values);
  const pairs = Object.entries(values);
  return [
    {
      value: 'curl',
      label: 'curl',
      code: [
        `curl -G ${shell(url)} \\`,
        ...pairs.map(([name, value]) => `  --data-urlencode ${shell(`${name}=${value}`)} \\`),
        '  -H "X-API-Key: $TINTYPE_API_KEY" \\',
        `  --fail-with-body -o ${file}`,
      ].join('\n'),
    },
    {
      value: 'javascript',
      label: 'JavaScript',
      code: [
        "import { writeFile } from 'node:fs/promises';",
        '',
        'const query = new URLSearchParams({',
        ...pairs.map(([name, value]) => `  ${name}: ${js(value)},`),
        '});',
        `const response = await fetch(\`${url}?\${query}\`, {`,
        "  headers: { 'X-API-Key': process.env.TINTYPE_API_KEY },",
        '});',
        'if (!response.ok) throw new Error((await response.json()).error);',
        `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`,
      ].join('\n'),
    },
    {
      value: 'python',
      label: 'Python',
      code: [
        'import os, requests',
        '',
        'response = requests.get(',
        `    ${python(url)},`,
        '    params={',
        ...pairs.map(([name, value]) => `        ${python(name)}: ${python(value)},`),
        '    },',
        '    headers={"X-API-Key": os.environ["TINTYPE_API_KEY"]},',
        '    timeout=65,',
        ')',
        'response.raise_for_status()',
        `open("${file}", "wb").write(response.content)`,
      ].join('\n'),
    },
    {
      value: 'php',
      label: 'PHP',
      code: [
        '<?php',
        '$query = http_build_query([',
        ...pairs.map(([name, value]) => `    ${php(name)} => ${php(value)},`),
        ']);',
        `$request = curl_init("${url}?$query");`,
        'curl_setopt_array($request, [',
        '    CURLOPT_RETURNTRANSFER => true,',
        '    CURLOPT_FAILONERROR => true,',
        "    CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('TINTYPE_API_KEY')],",
        ']);',
        `file_put_contents('${file}', curl_exec($request));`,
      ].join('\n'),
    },
  ];
}

const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export function htmlSnippet(link: string, endpoint: EndpointName, values: Values): string {
  const width = values.width ?? (endpoint === 'og' ? '1200' : '1280');
  const height = values.height ?? (endpoint === 'og' ? '630' : '800');
  const image = `<img src="${html(link)}" alt="">`;
  if (endpoint === 'screenshot') return image;
  return [
    `<meta property="og:image" content="${html(link)}">`,
    `<meta property="og:image:width" content="${html(width)}">`,
    `<meta property="og:image:height" content="${html(height)}">`,
    '<meta name="twitter:card" content="summary_large_image">',
    '',
    image,
  ].join('\n');
}
