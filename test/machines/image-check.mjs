// Runs inside the image as its user: starts the entry point, captures a page, makes a card, stops the server.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const fail = (text) => {
  console.error(text);
  process.exit(1);
};
try {
  writeFileSync('/app/written', '');
  fail('The root file system can be written.');
} catch {
  // It is read-only, as it should be.
}

const server = spawn('/usr/bin/tini', ['--', '/app/bin/tintype', 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
const ready = new Promise((resolve, reject) => {
  server.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('is ready at')) resolve();
  });
  server.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  setTimeout(() => reject(new Error(`Not ready after two minutes:\n${output}`)), 120_000).unref();
});
await ready.catch((error) => fail(error.message));

const tintype = (...args) => execFileSync('/app/bin/tintype', args).toString().trim().split('\n').at(-1);
tintype('account', 'create', 'you@example.com', '--plan', 'pro', '--password', 'a long pass phrase');
const key = tintype('key', 'create', 'you@example.com', '--name', 'first');
const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'));
await once(site.listen(8099, '127.0.0.1'), 'listening');

async function ask(path, type) {
  const answer = await fetch(`http://127.0.0.1:3000${path}`, { headers: { 'x-api-key': key } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200 || answer.headers.get('content-type') !== type) fail(`${path}: ${answer.status} ${bytes}`);
  console.log(`  ${path} ${type} ${bytes.length} bytes`);
}
await ask('/readyz', 'application/json; charset=utf-8');
await ask('/v1/screenshot?url=http%3A%2F%2F127.0.0.1%3A8099%2F', 'image/png');
await ask('/v1/screenshot?url=http%3A%2F%2F127.0.0.1%3A8099%2F&format=pdf', 'application/pdf');
await ask('/v1/og?template=blog-post&title=Hello%20world', 'image/png');
if (/WITHOUT its sandbox/.test(output)) fail('The browser has no sandbox.');

server.removeAllListeners('exit');
const ended = once(server, 'exit');
server.kill('SIGTERM');
const [code] = await ended;
if (code !== 0) fail(`The server ended with ${code} after SIGTERM.`);
site.close();
process.exit(0);
