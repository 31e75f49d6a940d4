import { createServer } from 'node:net';

// Below the range from which the system gives out ports by itself (32768 to 60999 on Linux): of those, any connection that
// is made meanwhile could take one before its server listens on it, or while that server is restarted.
const lowest = 10_000;
const highest = 32_000;

/** Nobody listens on this port, and nobody is given it who asks for just any. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error('No port was free.');
}
