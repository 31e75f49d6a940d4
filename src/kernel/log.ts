// The log. Secrets are removed from the finished line, whichever field they are in.
import pino from 'pino';

export type Log = pino.Logger;

const keyPattern = /sk_live_[A-Za-z0-9]+/g;
// In a URL any character of a key may be percent-escaped, once or more: `sk%5Flive_…`. Bounded, because a
// repetition of alternatives overflows the stack on megabytes; a key has 32 characters after its start.
const keyStart = [...'sk_live_'].map((sign) => `(?:${sign}|%(?:25)*${hexOf(sign)})`).join('');
const escapedKey = new RegExp(`${keyStart}(?:[A-Za-z0-9]|%(?:25)*(?:3\\d|[46][1-9A-Fa-f]|[57][\\dAa])){1,99}`, 'g');
// Parameters with secret values in any URL of a text: `?api_key=…`, `&access_token=…`. In a URL that is itself a
// parameter of another, `=` and the sign before the name are escaped, once or more.
const secretName = '[\\w.-]{0,40}?(?:api[_-]?key|key_id|signature|sig|token|secret|credential|passw(?:or)?d|pwd|jwt)';
const secretQuery = new RegExp(`((?:^|[?&#;\\s])${secretName}=)[^&#\\s"'<>\\\\]+`, 'gi');
const escapedQuery = new RegExp(
  `(%(?:25)*(?:3f|26|23)${secretName}%(?:25)*3d)(?:[^%&#\\s"'<>\\\\]|%(?!(?:25)*(?:26|23)))+`,
  'gi',
);
/** `user:password@` of a URL. */
const userInfo = /(:\/\/)[^/?#\s"'<>\\@]{1,500}@/g;

/**
 * Removes API keys, signatures, tokens and passwords from a text. The log, error texts, and everything stored about a
 * request or a result pass through here. Each pattern starts with a character that it does not match again, so that
 * every text is read in linear time.
 */
export function redact(text: string): string {
  let clean = text;
  // The plain pattern would leave what follows the first escaped character of a key.
  if (clean.includes('%')) clean = clean.replace(escapedKey, 'sk_live_[redacted]');
  else if (clean.includes('sk_live_')) clean = clean.replace(keyPattern, 'sk_live_[redacted]');
  if (clean.includes('=')) clean = clean.replace(secretQuery, '$1[redacted]');
  if (clean.includes('%')) clean = clean.replace(escapedQuery, '$1[redacted]');
  return clean.includes('@') ? clean.replace(userInfo, '$1[redacted]@') : clean;
}

/** The two hexadecimal digits of a character, in either case. */
function hexOf(sign: string): string {
  const [high, low = ''] = sign.charCodeAt(0).toString(16);
  return `${high}[${low}${low.toUpperCase()}]`;
}

let writtenAt = 0;
let written = '';

/** ISO 8601, formatted once for all lines of the same millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== writtenAt) written = `,"time":"${new Date(now).toISOString()}"`;
  writtenAt = now;
  return written;
}

/**
 * Only these fields of an error are logged. Others may hold secrets: ioredis keeps the AUTH command with its password,
 * Node the URL it could not parse, PostgreSQL's client the values of a row.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, longestText);
  const { name, stack, cause } = error;
  // If a name has several addresses, each of them failed, and the aggregate has no message of its own.
  const parts = error instanceof AggregateError ? error.errors.slice(0, 5) : [];
  const message = error.message || parts.map((part) => (part as Error)?.message ?? String(part)).join('; ');
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: message.slice(0, longestText),
    ...(code !== undefined && { code: String(code).slice(0, 100) }),
    stack: stack?.slice(0, longestText),
    ...(cause !== undefined && depth < 3 && { cause: describeError(cause, depth + 1) }),
  };
}

const longestText = 8000;

export function createLog(level: string, write: (line: string) => void = createStdoutWriter()): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(redact(line)) },
  );
}

/** Writes all lines of one turn of the event loop together: under load, the write is most of the cost of a line. */
function createStdoutWriter(): (line: string) => void {
  let pending = '';
  const flush = () => {
    const text = pending;
    pending = '';
    if (text !== '') process.stdout.write(text);
  };
  process.once('exit', flush);
  return (line) => {
    if (pending === '') setImmediate(flush);
    pending += line;
  };
}
