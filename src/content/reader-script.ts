// The script that reads a page: our library, and the extractor that it uses. It is put together when the first page is read.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sentDocumentUrl } from '../capture/sent-document.ts';
import type { ReadOptions } from './content-types.ts';

const require = createRequire(import.meta.url);

let library: string | undefined;

/** Everything is local to one function: an element of the page with the id `reader` would else be found by that name. */
function loadLibrary(): string {
  const pieces = Object.values(require('./in-page/library.ts') as Record<string, () => unknown>);
  const extractor = readFileSync(require.resolve('@mozilla/readability/Readability.js'), 'utf8');
  return `const module = {};\n${extractor}\nconst reader = {};\n${pieces.map((piece) => `Object.assign(reader, (${piece})());\n`).join('')}`;
}

/** An expression for our isolated world in a settled page. Its value is a PageText. */
export function readScript(options: ReadOptions): string {
  library ??= loadLibrary();
  return `(() => {\n${library}return reader.read(${JSON.stringify(options)}, ${JSON.stringify(sentDocumentUrl)});\n})()`;
}
