// Which filter lists there are. It does not need the blocking engine, which takes a tenth of a second to load.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListState } from './clean-types.ts';

export type Manifest = { readonly version: string; readonly fetchedAt: number; readonly stamp: string };

export const manifestPath = (dir: string): string => join(dir, 'lists.json');

export function readManifest(dir: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(manifestPath(dir), 'utf8'));
    return typeof manifest.fetchedAt === 'number' && typeof manifest.version === 'string' ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Which lists are in use, and how old they are. */
export function readListState(dir: string): ListState {
  const manifest = readManifest(dir);
  if (!manifest) return { source: 'built-in' };
  const { fetchedAt, version } = manifest;
  return { source: 'fetched', fetchedAt, age: Math.max(0, Date.now() - fetchedAt), version };
}
