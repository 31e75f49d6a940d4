// The tools on another Tintype server, by its POST API.
import type { Kind } from '../kernel/kinds.ts';
import { lazily } from '../kernel/lazily.ts';
import type { Table } from '../kernel/parameters.ts';
import { type RequestParameters, tables } from '../render/endpoint-tables.ts';
import type { Endpoint } from '../render/validated-request.ts';
import type { Backend, ResultFacts, TemplateFacts } from './backend.ts';
import { type RemoteServer, sendTo } from './remote-server.ts';

export function createRemoteBackend(server: RemoteServer, onDefect: Backend['onDefect']): Backend {
  const post = (endpoint: Endpoint, parameters: RequestParameters, signal: AbortSignal, more: object = {}) =>
    sendTo(server, `/v1/${endpoint}`, {
      signal,
      method: 'POST',
      json: { ...jsonBody(parameters, tables[endpoint]), ...more },
    });
  // Not with the caller's signal: others wait for the same list.
  const templates = lazily(
    async (): Promise<readonly TemplateFacts[]> =>
      JSON.parse(String(await sendTo(server, '/v1/og/templates'))).templates,
  );
  return {
    accountId: 'remote',
    async render({ endpoint, parameters, signal }) {
      const facts = JSON.parse(String(await post(endpoint, parameters, signal, { response: 'json' }))) as ResultFacts;
      // The file is in the server's cache by now: asking for it anew would render it again.
      const again = new Map([...parameters].filter(([name]) => name !== 'fresh'));
      return { facts, bytes: () => post(endpoint, again, signal) };
    },
    templates,
    onDefect,
  };
}

/** The parameters in the types that a JSON body has. A value that has none of them is sent as it is: the server says why. */
const jsonBody = (parameters: RequestParameters, table: Table): Record<string, unknown> =>
  Object.fromEntries(
    [...parameters].map(([name, value]) => {
      const kind = Object.hasOwn(table, name) ? table[name]?.kind : undefined;
      const isText = kind === undefined || kind.json === 'numbers' || (kind.schema.type === 'string' && !kind.json);
      return [name, isText ? value : (jsonValue(kind, value) ?? value)];
    }),
  );

function jsonValue(kind: Kind<unknown>, value: string): unknown {
  if (kind.json === undefined) return kind.parse(value);
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
