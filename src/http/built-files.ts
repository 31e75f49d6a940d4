// What Vite built: its manifest names the files, whose names have a hash.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type BuiltFile = {
  readonly file: string;
  readonly css?: readonly string[];
  /** Fonts and pictures. */
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
};
export type BuiltFiles = Readonly<Record<string, BuiltFile>>;

/** Empty where nothing is built. */
export function readManifest(webDir: string): BuiltFiles {
  try {
    return JSON.parse(readFileSync(join(webDir, 'manifest.json'), 'utf8'));
  } catch {
    return {};
  }
}

/** The script of a source file, and all that it imports. */
export function filesOf(source: string, manifest: BuiltFiles, found = new Set<string>()): string[] {
  const built = manifest[source];
  if (built === undefined || found.has(built.file)) return [...found];
  found.add(built.file);
  for (const name of built.imports ?? []) filesOf(name, manifest, found);
  return [...found];
}
