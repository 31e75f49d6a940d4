// Where log lines are made. Keys are taken out at the sink, in whatever field or text they came.
import pino from 'pino';

export type Log = pino.Logger;

const keyPattern = /sk_live_[A-Za-z0-9]+/g;
const secretQuery = /([?&](?:api_key|signature)=)[^&\s"]*/g;

/** Takes every API key and signature out of a text. The log and the error texts pass through here. */
export const redact = (text: string): string =>
  text.includes('sk_live_') || text.includes('api_key=') || text.includes('signature=')
    ? text.replace(keyPattern, 'sk_live_[redacted]').replace(secretQuery, '$1[redacted]')
    : text;

let writtenAt = 0;
let written = '';

/** In words, and made once for all lines of a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== writtenAt) written = `,"time":"${new Date(now).toISOString()}"`;
  writtenAt = now;
  return written;
}

export function createLog(level: string, write: (line: string) => void = createStdoutWriter()): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp,
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
