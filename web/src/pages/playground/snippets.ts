// The request of the form as code in several languages: a GET, or a POST where a parameter needs it. The code reads the key
// and every secret from the environment. The form may come from somebody else's link, so names and values are always quoted.
import type { EndpointName, ParameterView } from '../../api.ts';
import { type Expression, js, php, python, shell } from './literals.ts';
import type { Values } from './state.ts';

export type Snippet = { readonly value: string; readonly label: string; readonly code: string };

type Known = Pick<ParameterView, 'name' | 'json' | 'notInUrl' | 'isSecret'>;

type Request = {
  readonly url: string;
  readonly file: string;
  /** As a query has them. */
  readonly pairs: readonly (readonly [name: string, text: string])[];
  /** As a JSON body has them. */
  readonly fields: readonly (readonly [name: string, value: Expression])[];
};

/** What every client and proxy takes. */
const longestAddress = 2000;

export function snippets(
  baseUrl: string,
  endpoint: EndpointName,
  values: Values,
  parameters: readonly Known[],
): readonly Snippet[] {
  const url = `${baseUrl}/v1/${endpoint}`;
  const pairs = Object.entries(values);
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const request: Request = {
    url,
    file: fileName(endpoint, values.format),
    pairs,
    fields: pairs.map(([name, text]) => [name, expressionOf(text, known.get(name), name)]),
  };
  const needsPost =
    pairs.some(([name]) => typeof known.get(name)?.notInUrl === 'string') ||
    `${url}?${new URLSearchParams(values)}`.length > longestAddress;
  const write = needsPost ? byPost : byGet;
  return [
    { value: 'curl', label: 'curl', code: write.curl(request).join('\n') },
    { value: 'javascript', label: 'JavaScript', code: write.javascript(request).join('\n') },
    { value: 'python', label: 'Python', code: write.python(request).join('\n') },
    { value: 'php', label: 'PHP', code: write.php(request).join('\n') },
  ];
}

const textExtensions: Readonly<Record<string, string>> = { text: 'txt', html: 'html' };

function fileName(endpoint: EndpointName, format = ''): string {
  if (endpoint === 'content') return `page.${textExtensions[format] ?? 'md'}`;
  return `${endpoint === 'og' ? 'card' : 'screenshot'}.${/^[a-z]{1,9}$/.test(format) ? format : 'png'}`;
}

/** The environment variable that holds a secret parameter as JSON: TINTYPE_BASIC_AUTH. */
export const secretVariable = (name: string): string =>
  `TINTYPE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** The value in its JSON type. A text that is none of that type stays a text: the server says what is wrong with it. */
function expressionOf(text: string, parameter: Known | undefined, name: string): Expression {
  if (parameter?.isSecret) return { variable: secretVariable(name) };
  if (parameter?.json === 'number' && /^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (parameter?.json === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

type Writers = Readonly<Record<'curl' | 'javascript' | 'python' | 'php', (request: Request) => string[]>>;

const byGet: Writers = {
  curl: ({ url, file, pairs }) => [
    `curl -G ${shell(url)} \\`,
    ...pairs.map(([name, text]) => `  --data-urlencode ${shell(`${name}=${text}`)} \\`),
    '  -H "X-API-Key: $TINTYPE_API_KEY" \\',
    `  --fail-with-body -o ${file}`,
  ],
  javascript: ({ url, file, pairs }) => [
    "import { writeFile } from 'node:fs/promises';",
    '',
    'const query = new URLSearchParams({',
    ...pairs.map(([name, text]) => `  ${js.name(name)}: ${js.value(text)},`),
    '});',
    `const response = await fetch(\`${url}?\${query}\`, {`,
    "  headers: { 'X-API-Key': process.env.TINTYPE_API_KEY },",
    '});',
    ...savedByJavaScript(file),
  ],
  python: ({ url, file, pairs }) => [
    'import os, urllib.parse, urllib.request',
    '',
    'query = urllib.parse.urlencode({',
    ...pairs.map(([name, text]) => `    ${python.value(name)}: ${python.value(text)},`),
    '})',
    'request = urllib.request.Request(',
    `    ${python.value(`${url}?`)} + query,`,
    '    headers={"X-API-Key": os.environ["TINTYPE_API_KEY"]},',
    ')',
    ...savedByPython(file),
  ],
  php: ({ url, file, pairs }) => [
    '<?php',
    '$query = http_build_query([',
    ...pairs.map(([name, text]) => `    ${php.value(name)} => ${php.value(text)},`),
    ']);',
    "$context = stream_context_create(['http' => [",
    "    'header' => ['X-API-Key: ' . getenv('TINTYPE_API_KEY')],",
    "    'timeout' => 65,",
    ']]);',
    ...savedByPhp(`${php.value(`${url}?`)} . $query`, file),
  ],
};

const byPost: Writers = {
  // The shell fills in variables, so everything else that it would read is escaped.
  curl: ({ url, file, fields }) => [
    `curl ${shell(url)} \\`,
    '  -H "X-API-Key: $TINTYPE_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  --data-binary @- --fail-with-body -o ${file} <<JSON`,
    '{',
    fields.map(([name, value]) => `  ${shell.inDocument(name)}: ${shell.inDocument(value)}`).join(',\n'),
    '}',
    'JSON',
  ],
  javascript: ({ url, file, fields }) => [
    "import { writeFile } from 'node:fs/promises';",
    '',
    `const response = await fetch(${js.value(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    "    'X-API-Key': process.env.TINTYPE_API_KEY,",
    "    'Content-Type': 'application/json',",
    '  },',
    '  body: JSON.stringify({',
    ...fields.map(([name, value]) => `    ${js.name(name)}: ${js.value(value)},`),
    '  }),',
    '});',
    ...savedByJavaScript(file),
  ],
  python: ({ url, file, fields }) => [
    'import json, os, urllib.request',
    '',
    'body = {',
    ...fields.map(([name, value]) => `    ${python.value(name)}: ${python.value(value)},`),
    '}',
    'request = urllib.request.Request(',
    `    ${python.value(url)},`,
    '    data=json.dumps(body).encode(),',
    '    headers={',
    '        "X-API-Key": os.environ["TINTYPE_API_KEY"],',
    '        "Content-Type": "application/json",',
    '    },',
    ')',
    ...savedByPython(file),
  ],
  php: ({ url, file, fields }) => [
    '<?php',
    '$body = json_encode([',
    ...fields.map(([name, value]) => `    ${php.value(name)} => ${php.value(value)},`),
    ']);',
    "$context = stream_context_create(['http' => [",
    "    'method' => 'POST',",
    "    'header' => ['X-API-Key: ' . getenv('TINTYPE_API_KEY'), 'Content-Type: application/json'],",
    "    'content' => $body,",
    "    'timeout' => 65,",
    ']]);',
    ...savedByPhp(php.value(url), file),
  ],
};

const savedByJavaScript = (file: string): string[] => [
  'if (!response.ok) throw new Error((await response.json()).error);',
  `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`,
];

const savedByPython = (file: string): string[] => [
  'with urllib.request.urlopen(request, timeout=65) as response:',
  `    open("${file}", "wb").write(response.read())`,
];

const savedByPhp = (address: string, file: string): string[] => [
  `$image = file_get_contents(${address}, false, $context);`,
  'if ($image === false) exit(1);',
  `file_put_contents('${file}', $image);`,
];

const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export function htmlSnippet(link: string, endpoint: EndpointName, values: Values): string {
  const width = values.width ?? (endpoint === 'og' ? '1200' : '1280');
  const height = values.height ?? (endpoint === 'og' ? '630' : '800');
  const image = `<img src="${html(link)}" alt="">`;
  if (endpoint === 'content') return `<a href="${html(link)}">The page as text</a>`;
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
