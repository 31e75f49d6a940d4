// Which passwords are accepted, and how they are hashed: with scrypt, which is slow on purpose. throttle.ts limits how many
// are hashed at once.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { invalidParameter } from '../kernel/errors.ts';

const passwordLength = { min: 12, max: 256 } as const;

const lengthOf = (password: string): number => [...password].length;

/** Throws unless the password is allowed. Only its length matters. */
export function checkPassword(password: string, parameter = 'password'): void {
  const { min, max } = passwordLength;
  if (isTooLong(password) || lengthOf(password) < min || lengthOf(password) > max)
    throw invalidParameter(parameter, `${parameter} must have ${min} to ${max} characters.`);
}

/** Longer than any allowed password, so it is wrong without hashing it. */
export const isTooLong = (password: string): boolean => password.length > passwordLength.max * 2;

// 32 MiB and about 0.1 to 0.25 s: one of the settings of OWASP's password storage cheat sheet.
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join(':');
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = stored.split(':');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(key, 'base64');
  const given = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

type Cost = { readonly N: number; readonly r: number; readonly p: number };

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise<Buffer>((resolve, reject) => {
    // Different keyboards may encode the same characters differently.
    const text = password.normalize('NFKC');
    const options = { N, r, p, maxmem: 128 * 1024 * 1024 };
    scrypt(text, salt, 32, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
