// A line becomes a request: a URL, or a JSON object with the names and types of a POST body.
import { loginNames } from '../../capture/login.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { createShapeCheck, readJsonObject } from '../../kernel/json-body.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import { parametersIn, tables } from '../../render/endpoint-tables.ts';
import { type Endpoint, endpoints } from '../../render/validated-request.ts';
import { type Line, longestLine } from './lines.ts';

export type LineRequest = { readonly endpoint: Endpoint; readonly parameters: ReadonlyMap<string, string> };

/** What the command's options say for every line. */
export type SharedOptions = {
  /** Parameters of a screenshot. */
  readonly parameters: ReadonlyMap<string, string>;
  /** headers, cookies and basicAuth. */
  readonly login: ReadonlyMap<string, string>;
};

/** Throws what is wrong with a line, without its content: it may have secrets. */
export function createLineReader({ parameters, login }: SharedOptions): (line: Line) => LineRequest {
  let loginOrigin: string | undefined;

  /** The login of the options is for one origin: a list of addresses must not spread it. */
  function loginFor(own: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const url = own.get('url');
    if (login.size === 0 || url === undefined || !URL.canParse(url)) return new Map();
    const { origin } = new URL(url);
    loginOrigin ??= origin;
    if (origin !== loginOrigin)
      throw invalidParameter(
        'url',
        `--header, --cookie and --basic-auth are for the origin of the first URL, ${loginOrigin}. Write what another origin needs into its line.`,
      );
    return login;
  }

  /** The line's own values come last, and null takes a value of the options away. */
  function withOptions(endpoint: Endpoint, own: ReadonlyMap<string, string>, without: readonly string[]): LineRequest {
    const table = tables[endpoint];
    const shared = [...parameters].filter(
      ([name, value]) => Object.hasOwn(table, name) && table[name]?.kind.parse(value) !== undefined,
    );
    const all = new Map([...shared, ...(endpoint === 'og' ? [] : loginFor(own)), ...own]);
    for (const name of without) all.delete(name);
    return { endpoint, parameters: all };
  }

  return ({ bytes }) => {
    if (bytes === undefined)
      throw new Problem('invalid_body', { message: `The line has more than ${longestLine / 1e6} MB.` });
    const text = decode(bytes).trim();
    if (!text.startsWith('{')) return withOptions('screenshot', new Map([['url', text]]), []);
    const { kind, ...body } = asLine(() => {
      createShapeCheck()(bytes);
      return readJsonObject(bytes);
    });
    const endpoint = endpointOf(kind, body);
    const own = parametersIn(endpoint, body);
    // Everything that a card's table does not have is a variable of its template.
    if (endpoint !== 'og') refuseUnknown(own.keys(), endpoint);
    return withOptions(
      endpoint,
      own,
      Object.keys(body).filter((name) => body[name] === null),
    );
  };
}

function endpointOf(kind: unknown, body: Readonly<Record<string, unknown>>): Endpoint {
  if (kind === undefined || kind === null) return Object.hasOwn(body, 'template') ? 'og' : 'screenshot';
  const endpoint = endpoints.find((name) => name === kind);
  if (endpoint === undefined) throw invalidParameter('kind', `kind must be one of ${endpoints.join(', ')}.`);
  return endpoint;
}

/** The API warns of unknown names. Here a misspelt name would cost a run of thousands of pages. */
function refuseUnknown(names: Iterable<string>, endpoint: Endpoint): void {
  const known = Object.keys(tables[endpoint]);
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = nearestName(name, known);
    throw invalidParameter(
      name,
      `There is no parameter ${name} for ${endpoint}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    );
  }
}

const notUtf8 = () => new Problem('invalid_body', { message: 'The line is not UTF-8.' });

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

/** The texts of kernel/json-body.ts are about the body of a POST. */
function asLine<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, { message: error.message.replace(/^The body/, 'The line') });
  }
}

/** What identifies a request: everything but the login, which may be renewed between two runs. */
export const identityOf = ({ endpoint, parameters }: LineRequest): string =>
  JSON.stringify([
    endpoint,
    ...[...parameters]
      .filter(([name]) => !(loginNames as readonly string[]).includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
