// Sends mail through the operator's SMTP server. The library is loaded with the first message. A server that hangs costs
// its own message only: nobody waits for one, and few are under way at once.
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { createSemaphore } from '../kernel/semaphore.ts';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = {
  /** Sends in the background; a failure is in the log. */
  send(message: Mail): void;
};

const atOnce = 2;
const mayWait = 100;

export function createMailer(parts: {
  /** smtp:// or smtps:// */
  url: string;
  from: () => string;
  log?: Log | undefined;
  timeoutMs?: number;
}): Mailer {
  const { url, from, log, timeoutMs = 30_000 } = parts;
  const semaphore = createSemaphore(atOnce);

  async function deliver(message: Mail): Promise<void> {
    const release = await semaphore.acquire();
    const deadline = new Deadline(timeoutMs, 'The mail');
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(url, { from: from(), disableFileAccess: true, disableUrlAccess: true });
      await deadline.race(transport.sendMail({ ...message })).finally(() => transport.close());
    } finally {
      deadline.done();
      release();
    }
  }

  return {
    send(message) {
      if (semaphore.waiting >= mayWait) {
        log?.error({ subject: message.subject }, 'mail dropped: the mail server is too slow');
        return;
      }
      deliver(message).catch((error: Error) =>
        log?.error({ subject: message.subject, reason: error.message.slice(0, 300) }, 'mail not sent'),
      );
    },
  };
}
