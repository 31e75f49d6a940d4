// The script that reads a page: our library, and the extractor that it uses. It is put together when the first page is read.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadLibrary } from '../capture/in-page.ts';
import { sentDocumentUrl } from '../capture/sent-document.ts';
import type { ReadOptions } from './content-types.ts';

let library: Promise<string> | undefined;

/** Everything is local to one function: otherwise an element of the page with the id `reader` would be found by that name. */
async function joinLibrary(): Promise<string> {
  const pieces = await loadLibrary(new URL('./in-page/library.ts', import.meta.url));
  const extractor = await readFile(fileURLToPath(import.meta.resolve('@mozilla/readability/Readability.js')), 'utf8');
  const added = Object.values(pieces).map((piece) => `Object.assign(reader, (${piece})());\n`);
  return `const module = {};\n${extractor}\nconst reader = {};\n${added.join('')}`;
}

/** An expression for our isolated world in a settled page. Its value is a ReadAnswer. */
export async function readScript(options: ReadOptions): Promise<string> {
  library ??= joinLibrary();
  return `(() => {\n${await library}return reader.read(${JSON.stringify(options)}, ${JSON.stringify(sentDocumentUrl)});\n})()`;
}
