// The tools on this machine: files are written to a folder, and a later part of a result is taken from there.
import { hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readStoredText } from '../content/stored-text.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem } from '../kernel/errors.ts';
import { formatOf, formats } from '../kernel/formats.ts';
import type { Backend, BackendRequest, BackendResult, TextResult } from '../mcp/backend.ts';
import type { RenderOutput } from '../render/executor.ts';
import type { LocalRenderer, LocalResult } from './local-renderer.ts';

/** Characters of texts that are remembered, and one for each file. */
const mostRemembered = 20_000_000;

/** `folder` is made when the first file is written. */
export function createLocalBackend(
  renderer: LocalRenderer,
  folder: () => string,
  onDefect: Backend['onDefect'],
): Backend {
  const remembered = new BoundedMap<string, BackendResult>(
    mostRemembered,
    ({ facts }) => 1 + ((facts as Partial<TextResult>).content?.length ?? 0),
  );
  return {
    accountId: 'local',
    async render({ endpoint, parameters, continues, signal }) {
      const name = nameOf(endpoint, parameters);
      const known = continues ? remembered.get(name) : undefined;
      if (known !== undefined) return known;
      const { request, output } = await renderer.render(endpoint, parameters, { signal });
      if (request.text !== undefined) {
        const result = { facts: textFacts(request.text, output), bytes: async () => output.bytes };
        remembered.set(name, result);
        return result;
      }
      const path = await write(folder(), endpoint, output);
      const facts = { ...factsOf(output), imageUrl: pathToFileURL(path).href, format: formatOf(output.type) };
      remembered.set(name, { facts, bytes: () => readFile(path).catch(fileIsGone) });
      return { facts, bytes: async () => output.bytes };
    },
    templates: async () => (await renderer.catalogue()).catalogue,
    onDefect,
  };
}

const fileIsGone = (): never => {
  throw new Problem('storage_unavailable', {
    message: 'The file of this picture is gone. Ask for its first tile again.',
  });
};

/** Which result it is: its parameters, without the wish for a new one. */
const nameOf = (endpoint: BackendRequest['endpoint'], parameters: BackendRequest['parameters']): string =>
  hash('sha256', JSON.stringify([endpoint, ...[...parameters].filter(([name]) => name !== 'fresh')]));

const factsOf = ({ bytes, pages, page, verdict, warnings }: RenderOutput) => ({
  size: bytes.length,
  ...(pages !== undefined && { pages }),
  ...(page && { page }),
  ...(verdict && { verdict }),
  warnings,
});

function textFacts(
  { maxChars, format }: NonNullable<LocalResult['request']['text']>,
  output: RenderOutput,
): TextResult {
  const { facts, content } = readStoredText(output.bytes, maxChars, format);
  const { size: _size, ...about } = factsOf(output);
  return { ...facts, ...about, format, content: content.toString() };
}

async function write(folder: string, endpoint: string, { bytes, type }: RenderOutput): Promise<string> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const file = `${endpoint}-${time}-${randomBytes(3).toString('hex')}.${formats[formatOf(type)].extension}`;
  const path = join(folder, file);
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    throw new Problem('storage_unavailable', { message: `The file cannot be written: ${(error as Error).message}.` });
  }
  return path;
}
