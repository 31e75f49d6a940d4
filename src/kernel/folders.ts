// Makes a folder and those above it. Not by Node's `recursive: true`: where a file system answers "no such file" to a mkdir
// whose parent is there (/proc does), Node tries the same two folders for ever, on the calling thread.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse())
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have made it in this moment.
      if (!isFolder(folder)) throw error;
    }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
