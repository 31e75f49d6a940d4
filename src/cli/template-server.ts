// An account's own templates on a server, for push and pull: /v1/templates by its API key.

import type { TemplateAbout } from '../cards/template-document.ts';
import type { RemoteRequest } from '../mcp/remote-server.ts';
import { type CommandIo, type CommandOptions, type Input, UsageError } from './command.ts';
import { readServer } from './server-options.ts';

export const templateServerOptions: CommandOptions = {
  server: { value: 'URL', doc: 'The Tintype server; TINTYPE_SERVER if it is not given.' },
  key: { value: 'KEY', isSecret: true, doc: 'The API key; TINTYPE_KEY if it is not given.' },
};

/** The folder of templates, if none is given. */
export const defaultFolder = 'templates';

export type ServedTemplate = TemplateAbout & {
  readonly latest: number;
  readonly published: number;
  readonly html: string;
  /** With what is said of it at its top. */
  readonly file: string;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
};

export type TemplateServer = {
  /** Without `my/`. */
  names(): Promise<string[]>;
  /** Undefined if there is none of this name. */
  open(name: string): Promise<ServedTemplate | undefined>;
  save(name: string, html: string, publish: boolean): Promise<{ readonly version: number; readonly published: number }>;
  publish(name: string, version: number): Promise<void>;
  readFile(name: string, file: string): Promise<Buffer>;
  /** Returns the hash of what is stored. */
  putFile(name: string, file: string, bytes: Buffer): Promise<string>;
  removeFile(name: string, file: string): Promise<void>;
};

export async function openTemplateServer(input: Pick<Input, 'options'>, io: CommandIo): Promise<TemplateServer> {
  const server = readServer(input, io);
  if (server === undefined) throw new UsageError('The server is missing: --server URL, or the setting TINTYPE_SERVER.');
  const { sendTo } = await import('../mcp/remote-server.ts');
  return connect((path, request) => sendTo(server, path, request));
}

function connect(send: (path: string, request?: RemoteRequest) => Promise<Buffer>): TemplateServer {
  const pathOf = (name: string, ...more: readonly (string | number)[]) =>
    ['/v1/templates', name, ...more].map((part) => String(part)).join('/');
  const fileOf = (name: string, file: string) => pathOf(name, 'files', encodeURIComponent(file));
  const json = async (answer: Promise<Buffer>) => JSON.parse(String(await answer));
  const names = async (): Promise<string[]> => {
    const { templates } = await json(send('/v1/templates'));
    return templates.map(({ name }: { name: string }) => name.replace(/^my\//, ''));
  };
  return {
    names,
    async open(name) {
      if (!(await names()).includes(name)) return undefined;
      return json(send(pathOf(name)));
    },
    save: (name, html, publish) => json(send(pathOf(name), { method: 'PUT', json: { html, publish } })),
    async publish(name, version) {
      await send(pathOf(name, 'versions', version, 'publish'), { method: 'POST' });
    },
    readFile: (name, file) => send(fileOf(name, file)),
    putFile: async (name, file, bytes) => (await json(send(fileOf(name, file), { method: 'PUT', bytes }))).hash,
    async removeFile(name, file) {
      await send(fileOf(name, file), { method: 'DELETE' });
    },
  };
}
