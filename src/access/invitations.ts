// Invitations: a link from an administrator that creates one account, with the plan that the administrator chose.
import { hash } from 'node:crypto';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';
import { randomText } from '../store/identifiers.ts';
import type { OpenStore } from '../store/open.ts';
import type { Account, Invitation } from '../store/store.ts';
import { checkEmail, prepareAccount } from './accounts.ts';
import type { Mailer } from './mail.ts';
import type { Throttle } from './throttle.ts';

const dayMs = 24 * 60 * 60 * 1000;
const longestDays = 30;

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations(parts: {
  store: OpenStore;
  throttle: Throttle;
  mailer: Mailer | undefined;
  baseUrl: () => string;
  clock: () => number;
}) {
  const { store, throttle, mailer, baseUrl, clock } = parts;
  const hashOf = (token: string) => hash('sha256', token, 'hex');
  return {
    /** Only the hash of the token is stored: the link is shown once. With an address and a mail server it is also sent. */
    async create(
      input: { email?: string | undefined; plan: PlanName; admin: boolean; days: number },
      by: Account,
    ): Promise<{ invitation: Invitation; link: string; sent: boolean }> {
      if (!Number.isSafeInteger(input.days) || input.days < 1 || input.days > longestDays)
        throw invalidParameter('days', `days must be a whole number from 1 to ${longestDays}.`);
      const email = input.email?.trim() ? checkEmail(input.email) : null;
      if (email !== null && (await store.accounts.byEmail(email)) !== undefined)
        throw new Problem('conflict', { parameter: 'email', message: `There is an account of ${email} already.` });
      const token = randomText(32);
      const createdAt = clock();
      const invitation: Invitation = {
        id: `inv_${randomText(12)}`,
        email,
        plan: input.plan,
        admin: input.admin,
        createdBy: by.id,
        createdAt,
        expiresAt: createdAt + input.days * dayMs,
      };
      await store.invitations.create({ ...invitation, tokenHash: hashOf(token) });
      const link = `${baseUrl()}/invitation?token=${token}`;
      if (email !== null)
        mailer?.send({
          to: email,
          subject: 'An invitation to Tintype',
          text: `${by.email} invites you to ${baseUrl()}.\n\nCreate your account with this link. It works once, within ${input.days} days:\n${link}`,
        });
      return { invitation, link, sent: email !== null && mailer !== undefined };
    },

    /** Undefined if it was used or withdrawn, or has expired. */
    async find(token: string, address: string): Promise<Invitation | undefined> {
      await throttle.token(address);
      const found = await store.invitations.find(hashOf(token), clock());
      if (found !== undefined) await throttle.tokenWasRight(address);
      return found;
    },

    /** Creates the account. The link works once, even if it is used twice at the same moment. */
    async accept(input: { token: string; email: string; password: string; name: string }): Promise<Account> {
      const invitation = await store.invitations.find(hashOf(input.token), clock());
      if (invitation === undefined) throw usedUp();
      const { plan, admin } = invitation;
      const email = invitation.email ?? input.email;
      const account = await prepareAccount({ email, password: input.password, name: input.name, plan, admin });
      const made = await store.signIn.acceptInvitation(hashOf(input.token), clock(), account);
      if (made === undefined) throw usedUp();
      return made;
    },
  };
}

const usedUp = () =>
  new Problem('forbidden', {
    message: 'This invitation was used or withdrawn, or has expired. Ask the administrator for a new one.',
  });
