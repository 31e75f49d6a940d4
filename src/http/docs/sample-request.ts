// The request that the page of an operation shows and sends: its required parameters, or the first example of its body.
import { expressionOf } from '../../samples/literals.ts';
import type { SampleRequest } from '../../samples/samples.ts';
import type { OperationView } from './operations.ts';

/** Where nothing is required, or the required values alone make a dull result. */
const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  og: { template: 'blog-post', title: 'Hello world' },
  ogJson: { template: 'blog-post', title: 'Hello world' },
  removeResults: { url: 'https://example.com/' },
};

const files: Readonly<Record<string, string>> = {
  'image/png': 'result.png',
  'text/markdown': 'page.md',
};

/** None for a link that the server makes itself. */
export function sampleRequest(operation: OperationView, baseUrl: string): Omit<SampleRequest, 'needsKey'> | undefined {
  const { method, path, operationId, parameters = [], requestBody, responses } = operation;
  if (path.includes('{')) return undefined;
  const required = parameters
    .filter((parameter) => parameter.required)
    .map(({ name, example }) => [name, String(example ?? '')] as const);
  const example = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value;
  const mediaType = Object.keys(responses['200']?.content ?? {})[0] ?? '';
  return {
    method,
    url: baseUrl + path,
    query: Object.entries(values[operationId] ?? Object.fromEntries(required)),
    body:
      example === undefined
        ? undefined
        : Object.entries(example as object).map(([name, value]) => [name, expressionOf(value)]),
    file: files[mediaType],
  };
}
