// The command line, as bin/tintype starts it.
import { createInterface } from 'node:readline';
import type { WriteStream } from 'node:tty';
import type { Terminal } from './cli/command.ts';
import { main } from './cli/main.ts';
import { readHidden } from './cli/read-hidden.ts';
import { loadConfig } from './config.ts';

const terminalOf = (stream: WriteStream): Terminal => ({
  // A terminal that does not know its width says 0.
  columns: () => stream.columns || 80,
  colors: () => stream.hasColors(),
  showsOutput: process.stdout.isTTY,
  redraw: (line) => void stream.write(`\r\x1b[2K${line}`),
});

const isServer = process.argv[2] === 'serve';
let isLogLost = false;
// Whoever reads the output may stop, as `head` does. A server goes on without its log: neither that nor a full disk ends it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServer && !isLogLost) process.stderr.write(`The log cannot be written: ${error.message}\n`);
  isLogLost = true;
  if (isServer) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
});
if (isServer) process.stderr.on('error', () => {});

const code = await main(process.argv.slice(2), {
  config: () => loadConfig(),
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  writeBytes: (bytes) =>
    new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))),
  async readLine() {
    if (process.stdin.isTTY) return readHidden('Password: ', process.stdin, process.stderr);
    for await (const line of createInterface({ input: process.stdin })) return line;
    return '';
  },
  input: () => process.stdin,
  terminal: process.stderr.isTTY ? terminalOf(process.stderr) : undefined,
});
// Open connections must not keep the process alive.
process.stdout.write('', () => process.exit(code));
