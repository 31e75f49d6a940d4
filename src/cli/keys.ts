// tintype key …, and tintype sign.
import { createKey, isUsable } from '../access/keys.ts';
import { signLink } from '../access/signatures.ts';
import { templateName } from '../cards/template-name.ts';
import { readQuery, refuseBodyParameters } from '../kernel/parameters.ts';
import { endpoints, resultPaths } from '../render/validated-request.ts';
import { table, when } from './columns.ts';
import { type Command, type CommandIo, Failure, UsageError } from './command.ts';
import { jsonOption, sentenceOrJson } from './json-option.ts';
import { operatorTemplates } from './operator-templates.ts';
import { accountOf, withStore } from './with-store.ts';

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    takes: ['EMAIL'],
    options: {
      name: { value: 'NAME', doc: 'A name for the key. Default: command line.' },
      expires: { value: 'DATE', doc: 'The last day on which it is valid, such as 2030-12-31. Default: no limit.' },
      hosts: { value: 'LIST', doc: 'The hosts it may capture: example.com,*.example.org. Default: all.' },
      templates: { value: 'LIST', doc: 'The templates it may use: quote,my/hero. Default: all.' },
      json: jsonOption,
    },
    doc: 'Creates an API key and prints it on the last line. It cannot be shown again.',
    async run({ given, options }, io) {
      const expiresAt = options.expires === undefined ? null : dayAt(options.expires);
      const allowedHosts = splitList(options.hosts, '--hosts must name at least one host.');
      const allowedTemplates = await templatesNamed(options.templates, io);
      await withStore(io, async (store) => {
        const { id: accountId, email, plan } = await accountOf(store, given.EMAIL ?? '');
        const { key, secret, signingSecret } = await createKey(store, {
          accountId,
          name: options.name ?? 'command line',
          limit: io.config().planLimits[plan].keys,
          expiresAt,
          allowedHosts,
          allowedTemplates,
        });
        if (options.json) return io.print(JSON.stringify({ ...key, secret, signingSecret }, null, 2));
        io.note(`Created key ${key.id} ("${key.name}") for ${email}. Signing secret: ${signingSecret}`);
        io.note('The key is shown only once:');
        io.print(secret);
      });
    },
  },
  {
    name: 'key list',
    takes: ['EMAIL'],
    options: { json: { doc: 'As a JSON array; times are Unix milliseconds.' } },
    doc: 'Lists the keys of an account.',
    run: ({ given, options }, io) =>
      withStore(io, async (store) => {
        const { id } = await accountOf(store, given.EMAIL ?? '');
        const keys = (await store.keys.list(id)).map(({ accountId: _, ...key }) => key);
        if (options.json) return io.print(JSON.stringify(keys, null, 2));
        if (keys.length === 0) return io.note('This account has no keys yet. See: tintype key create --help');
        const rows = keys.map((key) => [
          key.id,
          key.name,
          `${key.first}…${key.last}`,
          when(key.createdAt),
          when(key.lastUsedAt),
          key.revokedAt === null ? '' : `revoked ${when(key.revokedAt)}`,
        ]);
        io.print(table(['ID', 'NAME', 'KEY', 'CREATED', 'LAST USED', ''], rows));
      }),
  },
  {
    name: 'key revoke',
    takes: ['ID'],
    options: { json: jsonOption },
    doc: 'Revokes a key. The next request with it is refused.',
    run: ({ given, options }, io) =>
      withStore(io, async (store) => {
        if (!(await store.keys.revoke(given.ID ?? ''))) throw new Failure(`There is no active key ${given.ID}.`);
        io.print(sentenceOrJson({ options }, `${given.ID} is revoked.`, { id: given.ID, revoked: true }));
      }),
  },
  {
    name: 'sign',
    takes: ['KEY_ID', 'PATH'],
    options: {
      expires: { value: 'SECONDS', doc: 'How long the link is valid. Default: as long as the key.' },
      json: jsonOption,
    },
    doc: "Prints a signed link, which works without the key itself: sign key_… '/v1/og?template=quote&title=Hello'",
    async run({ given, options }, io) {
      const { expires } = options;
      if (expires !== undefined && !/^[1-9]\d{0,9}$/.test(expires))
        throw new UsageError('--expires must be a whole number of seconds, such as 86400 for a day.');
      const url = URL.parse(given.PATH ?? '', 'http://tintype');
      const endpoint = endpoints.find((each) => url !== null && resultPaths(each).includes(url.pathname));
      if (url === null || endpoint === undefined)
        throw new UsageError(
          `PATH must be a path and query to sign, such as '/v1/og?template=quote&title=Hello'. Paths: ${endpoints.flatMap(resultPaths).join(', ')}.`,
        );
      if (/[?&](signature|api_key)=/.test(url.search))
        throw new UsageError(
          'PATH must have no signature and no api_key: the signature of this command replaces them.',
        );
      // Such a link would never open, and a secret must not be in one.
      const { tables } = await import('../render/endpoint-tables.ts');
      refuseBodyParameters(readQuery(url.search.slice(1)), tables[endpoint]);
      const { baseUrl, host, port } = io.config();
      await withStore(io, async (store) => {
        const found = await store.keys.findForSigning(given.KEY_ID ?? '');
        if (found === undefined || !isUsable(found, Date.now()))
          throw new Failure(`There is no active key ${given.KEY_ID}.`);
        const link = signLink({
          // As a browser sends it: spaces and non-ASCII characters are escaped.
          path: url.pathname + url.search,
          keyId: found.key.id,
          secret: found.signingSecret,
          expires: expires === undefined ? undefined : Math.floor(Date.now() / 1000) + Number(expires),
        });
        const signed = (baseUrl ?? `http://${host}:${port}`) + link;
        io.print(sentenceOrJson({ options }, signed, { url: signed }));
      });
    },
  },
];

/** Empty only if the option is not given: an empty list would allow everything. */
function splitList(text: string | undefined, ifEmpty: string): string[] {
  const names = text?.split(/[\s,]+/).filter(Boolean);
  if (names?.length === 0) throw new UsageError(ifEmpty);
  return names ?? [];
}

async function templatesNamed(text: string | undefined, io: CommandIo): Promise<string[]> {
  const names = splitList(text, '--templates must name at least one template.');
  if (names.length === 0) return names;
  const known = await operatorTemplates(io);
  // Own templates are in the database, and may be made later.
  const isOwn = (name: string) => name.startsWith('my/') && templateName.test(name.slice(3));
  const wrong = names.find((name) => !known.has(name) && !isOwn(name));
  if (wrong !== undefined)
    throw new UsageError(`There is no template "${wrong}". Templates: ${[...known.keys()].join(', ')}.`);
  return names;
}

/** The end of that day, UTC. */
function dayAt(text: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T23:59:59.999Z`) : Number.NaN;
  if (Number.isNaN(time) || time < Date.now())
    throw new UsageError(`--expires must be a day in the future, such as ${new Date().getUTCFullYear() + 1}-12-31.`);
  return time;
}
