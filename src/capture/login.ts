// What a page behind a login needs: headers, cookies and a password. They are secrets: they come in the body of a POST, go
// to the origin of `url` only, and are written nowhere.
import { invalidParameter } from '../kernel/errors.ts';
import { isObject } from '../kernel/is-object.ts';
import { createShapeCheck } from '../kernel/json-body.ts';
import type { Kind } from '../kernel/kinds.ts';
import type { Table } from '../kernel/parameters.ts';
import { checkCookies } from './login-cookies.ts';

export type Headers = Readonly<Record<string, string>>;
export type BasicAuth = { readonly username: string; readonly password: string };
export type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly domain?: string;
  readonly path?: string;
  readonly secure?: boolean;
  readonly httpOnly?: boolean;
  readonly sameSite?: 'Strict' | 'Lax' | 'None';
};

/** A shorter value ("1", "yes") is a setting, and part of other words. */
const shortestSecret = 4;
const mostHeaders = 20;
const mostHeaderBytes = 8 * 1024;
const mostCookies = 50;
const mostCookieBytes = 4096;
/** Fifty cookies of 4 KB with their names, and as much again for escapes. */
const longestText = 512 * 1024;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters of Latin-1, blanks and tabs. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The browser sets these itself, or refuses a request that has them. */
const ownHeaders =
  /^(?:host|content-length|connection|transfer-encoding|cookie2?|set-cookie2?|te|trailer|upgrade|keep-alive|x-(?:http-)?method(?:-override)?|sec-.*|proxy-.*)$/i;

/** In a form the value is JSON in a text, which nobody has checked yet. */
function fromJson(text: string): unknown {
  if (text.length > longestText) return undefined;
  try {
    createShapeCheck()(Buffer.from(text));
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sizeOf = (text: unknown): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : Number.POSITIVE_INFINITY;

const headers: Kind<Headers> = {
  parse(text) {
    const value = fromJson(text);
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    const bytes = entries.reduce((sum, [name, content]) => sum + name.length + sizeOf(content), 0);
    if (entries.length > mostHeaders || bytes > mostHeaderBytes) return undefined;
    const names = new Set(entries.map(([name]) => name.toLowerCase()));
    if (names.size < entries.length) return undefined;
    const isValid = entries.every(
      ([name, content]) =>
        token.test(name) && !ownHeaders.test(name) && typeof content === 'string' && headerValue.test(content),
    );
    return isValid ? (value as Headers) : undefined;
  },
  expects: `an object of at most ${mostHeaders} headers and ${mostHeaderBytes / 1024} KB, with values of Latin-1 characters without line breaks, and without Host, Content-Length, Connection, Transfer-Encoding, Cookie, Sec-*, Proxy-* and others that only a browser sets`,
  schema: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: mostHeaders },
  json: 'object',
  input: 'code',
};

const cookies: Kind<readonly Cookie[]> = {
  parse(text) {
    const value = fromJson(text);
    if (!Array.isArray(value) || value.length > mostCookies || !value.every(isCookie)) return undefined;
    return value.map(withoutNulls);
  },
  expects: `an array of at most ${mostCookies} objects {name, value, domain?, path?, secure?, httpOnly?, sameSite?}, each of at most ${mostCookieBytes / 1024} KB, with values of Latin-1 characters without ";"`,
  schema: {
    type: 'array',
    maxItems: mostCookies,
    items: {
      type: 'object',
      required: ['name', 'value'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        value: { type: 'string' },
        domain: { type: 'string' },
        path: { type: 'string' },
        secure: { type: 'boolean' },
        httpOnly: { type: 'boolean' },
        sameSite: { type: 'string', enum: ['Strict', 'Lax', 'None'] },
      },
    },
  },
  json: 'array',
  input: 'code',
};

const cookieFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string' && token.test(value),
  // No quotes, commas, semicolons, backslashes, blanks or control characters (RFC 6265), but for those that sites use.
  value: (value) => typeof value === 'string' && /^[\x20-\x3a\x3c-\x7e\x80-\xff]*$/.test(value),
  domain: (value) => typeof value === 'string' && /^\.?[^\s/:;,]{1,253}$/.test(value),
  path: (value) => typeof value === 'string' && /^\/[\x20-\x3a\x3c-\x7e]{0,1000}$/.test(value),
  secure: (value) => typeof value === 'boolean',
  httpOnly: (value) => typeof value === 'boolean',
  sameSite: (value) => value === 'Strict' || value === 'Lax' || value === 'None',
};

function isCookie(value: unknown): value is Cookie {
  if (!isObject(value) || value.name === undefined || value.value === undefined) return false;
  const entries = Object.entries(value).filter(([, content]) => content !== null);
  return (
    sizeOf(value.name) + sizeOf(value.value) <= mostCookieBytes &&
    entries.every(([name, content]) => Object.hasOwn(cookieFields, name) && cookieFields[name]?.(content) === true)
  );
}

/** `null` means "not given", as in the body itself. */
const withoutNulls = (cookie: Cookie): Cookie =>
  Object.fromEntries(Object.entries(cookie).filter(([, content]) => content !== null)) as Cookie;

const basicAuth: Kind<BasicAuth> = {
  parse(text) {
    const value = fromJson(text);
    if (!isObject(value)) return undefined;
    const { username, password, ...others } = value;
    if (typeof username !== 'string' || typeof password !== 'string' || Object.keys(others).length > 0)
      return undefined;
    const isValid =
      username.length <= 500 && password.length <= 500 && !/:|\p{Cc}/u.test(username) && !/\p{Cc}/u.test(password);
    return isValid ? { username, password } : undefined;
  },
  expects:
    'an object {username, password} of at most 500 characters each, without line breaks and without ":" in username',
  schema: {
    type: 'object',
    required: ['username', 'password'],
    additionalProperties: false,
    properties: { username: { type: 'string', maxLength: 500 }, password: { type: 'string', maxLength: 500 } },
  },
  json: 'object',
  input: 'code',
};

/** `cache: never`: render/validate-page.ts adds them to the cache key as an HMAC. */
export const loginParameters = {
  headers: {
    kind: headers,
    plan: 'pro',
    onlyBody: 'secret',
    cache: 'never',
    stage: 'before load',
    doc: 'Headers that are sent with every request that the origin of url makes to itself, and with no other.',
    example: '{"Authorization": "Bearer TOKEN"}',
  },
  cookies: {
    kind: cookies,
    plan: 'pro',
    onlyBody: 'secret',
    cache: 'never',
    stage: 'before load',
    doc: 'Cookies that are set before the page loads. Their domain is the host of url or a parent of it.',
    example: '[{"name": "session", "value": "TOKEN"}]',
  },
  basicAuth: {
    kind: basicAuth,
    plan: 'pro',
    onlyBody: 'secret',
    cache: 'never',
    stage: 'before load',
    doc: 'User name and password for the origin of url, sent as the headers are.',
    example: '{"username": "ada", "password": "…"}',
  },
} as const satisfies Table;

export const loginNames = Object.keys(loginParameters) as readonly (keyof typeof loginParameters)[];

type Login = {
  readonly url: string | undefined;
  readonly headers: Headers | undefined;
  readonly cookies: readonly Cookie[] | undefined;
  readonly basicAuth: BasicAuth | undefined;
};

/** The text without the values of the login. */
export function withoutLogin(text: string, { headers = {}, cookies = [], basicAuth }: Omit<Login, 'url'>): string {
  const sent = Object.values(headers);
  // The page may have got the token of "Bearer abc" alone.
  const words = sent.flatMap((value) => value.split(' ')).filter((word) => word.length >= 8);
  const values = [...sent, ...words, ...cookies.map(({ value }) => value), basicAuth?.password ?? ''];
  return values.reduce((left, value) => (value.length < shortestSecret ? left : left.replaceAll(value, '•••')), text);
}

/** Throws for values that contradict each other, or that a browser does not take for this url. */
export function checkLogin({ url, headers, cookies, basicAuth }: Login): void {
  if (basicAuth !== undefined && Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization'))
    throw invalidParameter('basicAuth', 'basicAuth and the header Authorization are both given; give one of them.');
  if (url !== undefined && cookies !== undefined) checkCookies(url, cookies);
}
