// The command line, as bin/tintype starts it.
import { createInterface } from 'node:readline';
import { main } from './cli/main.ts';
import { readHidden } from './cli/read-hidden.ts';
import { readAll } from './cli/read-text.ts';
import { loadConfig } from './config.ts';

const code = await main(process.argv.slice(2), {
  config: () => loadConfig(),
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  status: process.stderr.isTTY ? (line) => void process.stderr.write(`\r\x1b[2K${line}`) : undefined,
  writeBytes: (bytes) =>
    new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))),
  async readLine() {
    if (process.stdin.isTTY) return readHidden('Password: ', process.stdin, process.stderr);
    for await (const line of createInterface({ input: process.stdin })) return line;
    return '';
  },
  readInput: (mostBytes) => readAll(process.stdin, mostBytes),
});
// Open connections must not keep the process alive.
process.stdout.write('', () => process.exit(code));
