// A new password for somebody who lost theirs: a link by mail, if the operator has set up a mail server.
import { hash } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { randomText } from '../store/identifiers.ts';
import type { OpenStore } from '../store/open.ts';
import { checkEmail } from './accounts.ts';
import type { Mailer } from './mail.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import type { Throttle } from './throttle.ts';

const validMs = 60 * 60 * 1000;

export function createPasswordReset(parts: {
  store: OpenStore;
  throttle: Throttle;
  mailer: Mailer | undefined;
  baseUrl: () => string;
  /** Whom to ask where no mail is sent. */
  contact: string;
  clock: () => number;
  log?: Log | undefined;
}) {
  const { store, throttle, mailer, baseUrl, contact, clock, log } = parts;

  async function sendLink(email: string, by: Mailer): Promise<void> {
    const account = await store.accounts.byEmail(email);
    if (account === undefined || account.disabled) return;
    // An account of an identity provider gets no password by this way: it may have been closed there.
    if ((await store.signIn.passwordHash(account.id)) === undefined) return;
    const token = randomText(32);
    await store.signIn.createReset(hash('sha256', token, 'hex'), account.id, clock() + validMs);
    by.send({
      to: account.email,
      subject: 'A new password for Tintype',
      text: [
        `Somebody, probably you, asked for a new password for ${account.email} at ${baseUrl()}.`,
        `Choose one here within an hour:\n${baseUrl()}/new-password?token=${token}`,
        'If it was not you, do nothing: your password stays as it is.',
      ].join('\n\n'),
    });
  }
  return {
    /** True if links are sent by mail. */
    byMail: mailer !== undefined,

    /** The same answer after the same time for every address: neither shows whether there is an account. */
    async request(text: string, address: string): Promise<void> {
      if (mailer === undefined)
        throw new Problem('forbidden', { message: `This server sends no mail. Ask ${contact} for a new password.` });
      const email = checkEmail(text);
      await throttle.mail(email, address);
      sendLink(email, mailer).catch((error: Error) =>
        log?.error({ reason: error.message }, 'no link for a new password was made'),
      );
    },

    /** Sets the password and ends all sessions. The token works once. */
    async complete({ token, password }: { token: string; password: string }, address: string): Promise<void> {
      checkPassword(password);
      await throttle.inRoom({ address }, async () => {
        await throttle.token(address);
        const passwordHash = await hashPassword(password);
        if (!(await store.signIn.consumeReset(hash('sha256', token, 'hex'), clock(), passwordHash)))
          throw new Problem('forbidden', { message: 'This link is used up or out of date. Ask for a new one.' });
        await throttle.tokenWasRight(address);
      });
    },
  };
}
