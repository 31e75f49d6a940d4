// Where log lines are made. Keys are taken out at the sink, in whatever field or text they came.
import pino from 'pino';

export type Log = pino.Logger;

const keyPattern = /sk_live_[A-Za-z0-9]+/g;
// Parameters of any URL in a text whose values are nobody's to read: `?api_key=…`, `&access_token=…`. `=` and what stands
// before the name may be escaped, once or more often: then the URL is itself a parameter of another.
const secretName = '[\\w.-]{0,40}?(?:api[_-]?key|key_id|signature|sig|token|secret|credential|passw(?:or)?d|pwd|jwt)';
const secretQuery = new RegExp(`((?:^|[?&#;\\s])${secretName}=)[^&#\\s"'<>\\\\]+`, 'gi');
const escapedQuery = new RegExp(
  `(%(?:25)*(?:3f|26|23)${secretName}%(?:25)*3d)(?:[^%&#\\s"'<>\\\\]|%(?!(?:25)*(?:26|23)))+`,
  'gi',
);
/** `user:password@` of a URL. */
const userInfo = /(:\/\/)[^/?#\s"'<>\\@]{1,500}@/g;

/**
 * Takes API keys, signatures, tokens and passwords out of a text. The log, the error texts and whatever is stored of a
 * request or a result pass through here. Each pattern begins at a sign that it cannot run over, so that a text of any
 * signs is read once.
 */
export function redact(text: string): string {
  let clean = text.includes('sk_live_') ? text.replace(keyPattern, 'sk_live_[redacted]') : text;
  if (clean.includes('=')) clean = clean.replace(secretQuery, '$1[redacted]');
  if (clean.includes('%')) clean = clean.replace(escapedQuery, '$1[redacted]');
  return clean.includes('@') ? clean.replace(userInfo, '$1[redacted]@') : clean;
}

let writtenAt = 0;
let written = '';

/** In words, and made once for all lines of a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== writtenAt) written = `,"time":"${new Date(now).toISOString()}"`;
  writtenAt = now;
  return written;
}

/**
 * Only what a person reads. Other fields of an error hold what was sent: ioredis keeps the AUTH command with its password,
 * Node the URL it could not parse, PostgreSQL's client the values of a row.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, longestText);
  const { name, stack, cause } = error;
  // Of a name with several addresses each failed by itself, and the whole has no text of its own.
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

/** Lines of one turn of the event loop go out in one write: under load that is most of a log line's cost. */
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
