// Random text for ids, keys and tokens: base62, from the system's generator, every character equally likely.
import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 248 = 4 × 62: larger bytes are discarded; otherwise the first characters would be more likely.
const fair = 248;

export function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < fair && text.length < length) text += alphabet[byte % 62];
  return text;
}
