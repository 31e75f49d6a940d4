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

let lastTime = 0;
let serial = 0;

/**
 * An id that sorts by the time it was made, also among those of one millisecond: `job_` and 25 characters. Lower case and
 * digits only, which every database sorts alike.
 */
export function timedId(prefix: 'job' | 'batch'): string {
  const now = Date.now();
  serial = now > lastTime ? 0 : serial + 1;
  lastTime = Math.max(now, lastTime);
  const text = (value: number, length: number) => value.toString(36).padStart(length, '0');
  const random = Array.from(randomBytes(12), (byte) => (byte % 32).toString(32)).join('');
  return `${prefix}_${text(lastTime, 9)}${text(serial, 4)}${random}`;
}
