// The browser with one flag more or some fewer, as a command that takes its place.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';

/** `add` flags are appended; flags that begin with one of `drop` are left out. */
export function wrapBrowser(path: string, file: string, add: readonly string[], drop: readonly string[] = []): string {
  const patterns = [...drop.map((flag) => `${flag}*`), '--none'].join('|');
  writeFileSync(
    file,
    `#!/bin/sh
browser='${binaryOf(path)}'
for flag do shift; case "$flag" in ${patterns}) ;; *) set -- "$@" "$flag" ;; esac; done
exec "$browser" "$@" ${add.join(' ')}
`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** Debian's command is a shell script that does not exec; a wrapper around it would not be the browser's process. */
function binaryOf(path: string): string {
  const head = readFileSync(path).subarray(0, 4096).toString('latin1');
  return (head.startsWith('#!') && /^(\/\S*chrom\S*)/m.exec(head)?.[1]) || path;
}
