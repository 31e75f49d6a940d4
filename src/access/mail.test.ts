import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { createMailer } from './mail.ts';

it('gives up on a mail server that does not answer, and says so in the log', async () => {
  const server = createServer(() => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const lines: string[] = [];
  const log = createLog('debug', (line) => void lines.push(line));
  const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: () => 'a@example.com', log, timeoutMs: 300 });
  mailer.send({ to: 'b@example.com', subject: 'Hello', text: 'x' });
  await expect.poll(() => lines.join(), { timeout: 20_000 }).toContain('mail not sent');
  server.close();
});
