// The name of a result's file: readable from the address, unique by a hash of the request, and the same in every run.
import { hash } from 'node:crypto';
import type { TextFormat } from '../../content/content-types.ts';
import { type FormatName, formats } from '../../kernel/formats.ts';
import { tables } from '../../render/endpoint-tables.ts';
import { identityOf, type LineRequest } from './line-request.ts';

/** Together with the hash, the number and the extension far below the 255 bytes that file systems allow. */
const longestStem = 80;
const hashLength = 12;

/** Names by requests in the order of their lines: a request that is repeated gets a number. */
export function createFileNames(): (request: LineRequest) => string {
  const seen = new Map<number, number>();
  return (request) => {
    const digest = hash('sha256', identityOf(request), 'hex').slice(0, hashLength);
    // A number takes less memory than a string, and 12 hexadecimal digits fit into one.
    const id = Number.parseInt(digest, 16);
    const nth = (seen.get(id) ?? 0) + 1;
    seen.set(id, nth);
    return `${stemOf(request)}-${digest}${nth > 1 ? `-${nth}` : ''}.${extensionOf(request)}`;
  };
}

/** Letters, digits, dots and hyphens only, with a letter or digit at each end. */
function stemOf({ endpoint, parameters }: LineRequest): string {
  const words = readable(nameSource(parameters).slice(0, 2000))
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, longestStem)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return words === '' ? endpoint : words;
}

function nameSource(parameters: ReadonlyMap<string, string>): string {
  const url = parameters.get('url');
  if (url !== undefined) return withoutSecrets(url);
  const template = parameters.get('template');
  if (template !== undefined) return `${template} ${parameters.get('title') ?? ''}`;
  return parameters.has('markdown') ? 'markdown' : 'html';
}

/** The query may contain a token, and the name of a file is seen by more people than the file. */
function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  return url === null ? 'url' : `${url.host}${url.pathname}`;
}

function readable(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const textExtensions: Readonly<Record<TextFormat, string>> = { markdown: 'md', text: 'txt', html: 'html' };

/** A format that does not exist is refused when the request is validated. */
function extensionOf({ endpoint, parameters }: LineRequest): string {
  const format = parameters.get('format') ?? String(tables[endpoint].format?.default);
  if (endpoint === 'content') return textExtensions[format as TextFormat] ?? 'txt';
  return Object.hasOwn(formats, format) ? formats[format as FormatName].extension : 'png';
}
