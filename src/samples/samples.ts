// A request as code in five languages. The code reads the key and every secret from the environment. The documentation and the
// playground of the dashboard use it, also in the browser. Names and values may be somebody else's, so they are always quoted.
import { type Expression, js, php, python, ruby, shell } from './literals.ts';

export type Sample = { readonly value: string; readonly label: string; readonly code: string };

export type SampleRequest = {
  readonly method: string;
  readonly url: string;
  /** The query. */
  readonly query: readonly (readonly [name: string, text: string])[];
  /** The JSON body, if there is one. */
  readonly body?: readonly (readonly [name: string, value: Expression])[] | undefined;
  readonly needsKey: boolean;
  /** The file that the result is written to. Without it the result is printed. */
  readonly file?: string | undefined;
};

export const samples = (request: SampleRequest): readonly Sample[] => [
  { value: 'curl', label: 'curl', code: curl(request).join('\n') },
  { value: 'javascript', label: 'JavaScript', code: javascript(request).join('\n') },
  { value: 'python', label: 'Python', code: inPython(request).join('\n') },
  { value: 'php', label: 'PHP', code: inPhp(request).join('\n') },
  { value: 'ruby', label: 'Ruby', code: inRuby(request).join('\n') },
];

function curl({ method, url, query, body, needsKey, file }: SampleRequest): string[] {
  const words = [
    `curl ${method === 'DELETE' ? '-X DELETE ' : ''}${query.length > 0 ? '-G ' : ''}${shell(url)}`,
    ...query.map(([name, text]) => `--data-urlencode ${shell(`${name}=${text}`)}`),
    ...(needsKey ? ['-H "X-API-Key: $TINTYPE_KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'"] : []),
  ];
  const end = `${body ? '--data-binary @- ' : ''}--fail-with-body${file === undefined ? '' : ` -o ${file}`}`;
  const lines = [...words, end].join(' \\\n  ').split('\n');
  if (!body) return lines;
  // The shell fills in variables of the document, so everything else that it would read is escaped.
  const fields = body.map(([name, value]) => `  ${shell.inDocument(name)}: ${shell.inDocument(value)}`).join(',\n');
  return [...lines.slice(0, -1), `${lines.at(-1)} <<JSON`, '{', fields, '}', 'JSON'];
}

function javascript({ method, url, query, body, needsKey, file }: SampleRequest): string[] {
  const key = needsKey ? ["    'X-API-Key': process.env.TINTYPE_KEY,"] : [];
  const type = body ? ["    'Content-Type': 'application/json',"] : [];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(key.length + type.length > 0 ? ['  headers: {', ...key, ...type, '  },'] : []),
    ...(body
      ? [
          '  body: JSON.stringify({',
          ...body.map(([name, value]) => `    ${js.name(name)}: ${js.value(value)},`),
          '  }),',
        ]
      : []),
  ];
  const address = query.length > 0 ? `\`${url}?\${query}\`` : js.value(url);
  return [
    ...(file === undefined ? [] : ["import { writeFile } from 'node:fs/promises';", '']),
    ...(query.length > 0
      ? [
          'const query = new URLSearchParams({',
          ...query.map(([name, text]) => `  ${js.name(name)}: ${js.value(text)},`),
          '});',
        ]
      : []),
    ...(options.length > 0
      ? [`const response = await fetch(${address}, {`, ...options, '});']
      : [`const response = await fetch(${address});`]),
    'if (!response.ok) throw new Error((await response.json()).error);',
    file === undefined
      ? 'console.log(await response.text());'
      : `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`,
  ];
}

function inPython({ method, url, query, body, needsKey, file }: SampleRequest): string[] {
  const modules = [...(body ? ['json'] : []), ...(needsKey || body ? ['os'] : [])];
  const headers = [
    ...(needsKey ? ['        "X-API-Key": os.environ["TINTYPE_KEY"],'] : []),
    ...(body ? ['        "Content-Type": "application/json",'] : []),
  ];
  const pairs = (list: readonly (readonly [string, Expression])[]) =>
    list.map(([name, value]) => `    ${python.value(name)}: ${python.value(value)},`);
  return [
    `import ${[...modules, ...(query.length > 0 ? ['urllib.parse'] : []), 'urllib.request'].join(', ')}`,
    '',
    ...(query.length > 0 ? ['query = urllib.parse.urlencode({', ...pairs(query), '})'] : []),
    ...(body ? ['body = {', ...pairs(body), '}'] : []),
    'request = urllib.request.Request(',
    query.length > 0 ? `    ${python.value(`${url}?`)} + query,` : `    ${python.value(url)},`,
    ...(body ? ['    data=json.dumps(body).encode(),'] : []),
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(method === 'DELETE' ? ['    method="DELETE",'] : []),
    ')',
    'with urllib.request.urlopen(request, timeout=65) as response:',
    file === undefined ? '    print(response.read().decode())' : `    open("${file}", "wb").write(response.read())`,
  ];
}

function inPhp({ method, url, query, body, needsKey, file }: SampleRequest): string[] {
  const headers = [
    ...(needsKey ? ["'X-API-Key: ' . getenv('TINTYPE_KEY')"] : []),
    ...(body ? ["'Content-Type: application/json'"] : []),
  ];
  const pairs = (list: readonly (readonly [string, Expression])[]) =>
    list.map(([name, value]) => `    ${php.value(name)} => ${php.value(value)},`);
  const address = query.length > 0 ? `${php.value(`${url}?`)} . $query` : php.value(url);
  return [
    '<?php',
    ...(query.length > 0 ? ['$query = http_build_query([', ...pairs(query), ']);'] : []),
    ...(body ? ['$body = json_encode([', ...pairs(body), ']);'] : []),
    "$context = stream_context_create(['http' => [",
    ...(method === 'GET' ? [] : [`    'method' => '${method}',`]),
    ...(headers.length > 0 ? [`    'header' => [${headers.join(', ')}],`] : []),
    ...(body ? ["    'content' => $body,"] : []),
    "    'timeout' => 65,",
    ']]);',
    `$result = file_get_contents(${address}, false, $context);`,
    'if ($result === false) exit(1);',
    file === undefined ? 'echo $result, "\\n";' : `file_put_contents('${file}', $result);`,
  ];
}

const rubyClasses: Readonly<Record<string, string>> = { GET: 'Get', POST: 'Post', DELETE: 'Delete' };

function inRuby({ method, url, query, body, needsKey, file }: SampleRequest): string[] {
  const pairs = (list: readonly (readonly [string, Expression])[]) =>
    list.map(([name, value]) => `  ${ruby.value(name)} => ${ruby.value(value)},`);
  return [
    ...(body ? ["require 'json'"] : []),
    "require 'net/http'",
    '',
    `uri = URI(${ruby.value(url)})`,
    ...(query.length > 0 ? ['uri.query = URI.encode_www_form({', ...pairs(query), '})'] : []),
    `request = Net::HTTP::${rubyClasses[method] ?? 'Get'}.new(uri)`,
    ...(needsKey ? ["request['X-API-Key'] = ENV.fetch('TINTYPE_KEY')"] : []),
    ...(body
      ? ["request['Content-Type'] = 'application/json'", 'request.body = JSON.generate({', ...pairs(body), '})']
      : []),
    "options = { use_ssl: uri.scheme == 'https', read_timeout: 65 }",
    'response = Net::HTTP.start(uri.host, uri.port, options) { |http| http.request(request) }',
    'abort response.body unless response.is_a?(Net::HTTPSuccess)',
    file === undefined ? 'puts response.body' : `File.binwrite('${file}', response.body)`,
  ];
}
