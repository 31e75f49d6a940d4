// A text as it is stored: the facts as JSON, then the text itself. A reply takes the text without parsing anything.
import { pack, packedBytes, unpack } from '../kernel/payload.ts';
import type { PageText, TextFacts, TextFormat } from './content-types.ts';
import { cutText } from './cut-text.ts';

/** The media type of stored texts. It never leaves the service. */
export const storedTextType = 'application/x-tintype-text';

export const textMediaType = (format: TextFormat): string =>
  format === 'markdown' ? 'text/markdown; charset=utf-8' : 'text/plain; charset=utf-8';

export const packText = ({ content, ...facts }: PageText): Buffer => pack(facts, Buffer.from(content));

export type StoredText = { readonly facts: TextFacts; readonly content: Buffer };

/** The text alone, cut to this many characters. Its facts, which may be thousands of links, are not parsed. */
export function storedContent(bytes: Buffer, maxChars: number, format: TextFormat = 'text'): Buffer {
  return cutContent(packedBytes(bytes), maxChars, format);
}

/** The text and its facts, cut to this many characters. */
export function readStoredText(bytes: Buffer, maxChars: number, format: TextFormat = 'text'): StoredText {
  const { head, bytes: whole } = unpack<TextFacts>(bytes);
  const content = cutContent(whole, maxChars, format);
  return { facts: content === whole ? head : { ...head, truncated: true }, content };
}

function cutContent(content: Buffer, maxChars: number, format: TextFormat): Buffer {
  // A character has at least one byte.
  if (content.length <= maxChars) return content;
  const text = content.toString();
  return text.length <= maxChars ? content : Buffer.from(cutText(text, maxChars, format));
}
