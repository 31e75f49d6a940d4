// Parses the head of a request as the browser sends it to its proxy: `CONNECT host:port`, or a plain request with an
// absolute URI, which is rewritten for the origin. The client is our own browser, so anything unusual is refused.

export type RequestHead =
  | { readonly kind: 'tunnel'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'forward';
      /** As WHATWG writes it: an IPv6 address has brackets. */
      readonly host: string;
      readonly port: number;
      /** The head for the origin, blank line included. */
      readonly text: string;
      readonly bodyLength: number;
    };

const requestLine = /^([A-Z]{1,32}) (\S+) HTTP\/1\.1$/;
// `.` does not match a lone CR or LF, which a lenient origin could take for the end of a line. The blanks before a value
// are matched with it: a separate \s* would take quadratic time on a long run of blanks.
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/;
const authorityForm = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:@/?#\\[\]]+)(?::(\d{1,5}))?$/;
const absoluteForm = /^http:\/\/([^/?#]+)(.*)$/i;

// Headers about the connection to the proxy, which are not forwarded (RFC 9110, 7.6.1). `upgrade` too: Chromium tunnels WebSockets.
const hopByHop = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** `text` is everything before the blank line. undefined if it is not what a browser sends. */
export function parseRequestHead(text: string): RequestHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const [, method, target = ''] = requestLine.exec(first) ?? [];
  if (method === undefined) return undefined;
  if (method === 'CONNECT') {
    const place = parseAuthority(target);
    return place && /:\d+$/.test(target) ? { kind: 'tunnel', ...place } : undefined;
  }
  const [, authority = '', rest = ''] = absoluteForm.exec(target) ?? [];
  const place = parseAuthority(authority);
  const headers = place && originHeaders(lines);
  if (!headers) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  // Host is always the dialled host: otherwise a page could reach another virtual host on the same server.
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${authority}`, 'Connection: keep-alive', ...headers.kept];
  return { kind: 'forward', ...place, text: `${head.join('\r\n')}\r\n\r\n`, bodyLength: headers.bodyLength };
}

function parseAuthority(authority: string): { host: string; port: number } | undefined {
  const match = authorityForm.exec(authority);
  const host = match && URL.parse(`http://${authority}/`)?.hostname;
  return host ? { host, port: Number(match[1] ?? 80) } : undefined;
}

function originHeaders(lines: string[]): { kept: string[]; bodyLength: number } | undefined {
  let bodyLength: number | undefined;
  let named: string[] = [];
  const kept: { name: string; line: string }[] = [];
  for (const line of lines) {
    const [, field, text = ''] = headerLine.exec(line) ?? [];
    if (field === undefined) return undefined;
    const value = text.trim();
    const name = field.toLowerCase();
    // Chromium sends the length of every body. A chunked body would have to be parsed to find its end.
    if (name === 'transfer-encoding') return undefined;
    if (name === 'content-length') {
      if (bodyLength !== undefined || !/^\d{1,15}$/.test(value)) return undefined;
      bodyLength = Number(value);
    }
    if (name === 'connection') named = value.toLowerCase().split(/[\s,]+/);
    if (!hopByHop.has(name)) kept.push({ name, line });
  }
  return {
    kept: kept.filter(({ name }) => name === 'content-length' || !named.includes(name)).map(({ line }) => line),
    bodyLength: bodyLength ?? 0,
  };
}
