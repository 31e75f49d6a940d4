// Log lines for a person at a terminal: time, what happened, and what matters of the rest.

const colors = { error: '31', warn: '33', debug: '2', trace: '2' } as const;

/** The line as text; undefined for one that nobody needs to see: the dashboard's assets. */
export function readableLine(json: string, isColored: boolean): string | undefined {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(json);
  } catch {
    return json;
  }
  const { level, time, msg, ...fields } = entry;
  if (msg === 'request' && /^\/(?:assets\/|favicon|theme\.js|healthz$|readyz$|metrics$)/.test(String(fields.path)))
    return undefined;
  const text = msg === 'request' ? requestText(fields) : [String(msg ?? ''), ...fieldTexts(fields)].join('  ');
  const color = isColored ? colors[level as keyof typeof colors] : undefined;
  const clock = String(time ?? '').slice(11, 19);
  const line = `${clock}  ${level === 'info' ? '' : `${String(level).toUpperCase()}  `}${text}`;
  return `${color === undefined ? line : `\x1b[${color}m${line}\x1b[0m`}\n`;
}

function requestText({ method, path, status, ms, cache, code, verdict, requestId }: Record<string, unknown>): string {
  const parts = [`${method} ${path}`, status, `${Math.round(Number(ms))} ms`, cache, code, verdict];
  // The id finds the request in the usage, and in an error that a caller reports.
  return [...parts, Number(status) >= 400 ? requestId : undefined].filter((part) => part !== undefined).join('  ');
}

const fieldTexts = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields).map(([name, value]) =>
    name === 'err' ? errorText(value) : `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );

const errorText = (error: unknown): string => {
  const { message, stack } = (error ?? {}) as { message?: string; stack?: string };
  return stack ?? message ?? String(error);
};
