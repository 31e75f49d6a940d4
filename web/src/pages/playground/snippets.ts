// The request of the form as code in several languages: a GET, or a POST where a parameter needs it. The code reads the key
// and every secret from the environment. The form may come from somebody else's link, so names and values are always quoted.

import type { Expression } from '../../../../src/samples/literals.ts';
import { type Sample, samples } from '../../../../src/samples/samples.ts';
import type { EndpointName, ParameterView } from '../../api.ts';
import type { Values } from './state.ts';

type Known = Pick<ParameterView, 'name' | 'json' | 'notInUrl' | 'isSecret'>;

/** What every client and proxy takes. */
const longestAddress = 2000;

export function snippets(
  baseUrl: string,
  endpoint: EndpointName,
  values: Values,
  parameters: readonly Known[],
): readonly Sample[] {
  const url = `${baseUrl}/v1/${endpoint}`;
  const pairs = Object.entries(values);
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const needsPost =
    pairs.some(([name]) => typeof known.get(name)?.notInUrl === 'string') ||
    `${url}?${new URLSearchParams(values)}`.length > longestAddress;
  return samples({
    method: needsPost ? 'POST' : 'GET',
    url,
    query: needsPost ? [] : pairs,
    body: needsPost ? pairs.map(([name, text]) => [name, expressionOf(text, known.get(name), name)]) : undefined,
    needsKey: true,
    file: fileName(endpoint, values.format),
  });
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
