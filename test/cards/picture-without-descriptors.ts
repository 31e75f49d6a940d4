// Draws an SVG while this process has no file descriptor left, and again with some. Run by pictures.test.ts with a low limit.
import { closeSync, openSync } from 'node:fs';
import { decodeApart } from '../../src/cards/picture-process.ts';
import { Deadline } from '../../src/kernel/deadline.ts';

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
const deadline = new Deadline(60_000);
const draw = () =>
  decodeApart('svg', svg, 1024, deadline).then(
    (bytes) => (bytes ? 'drawn' : 'not drawn'),
    (error) => error.code ?? error.message,
  );

const open: number[] = [];
try {
  for (;;) open.push(openSync('/dev/null', 'r'));
} catch {
  // There is none left.
}
const without = await draw();
for (const descriptor of open) closeSync(descriptor);
process.stdout.write(`${without}, then ${await draw()}`);
deadline.done();
