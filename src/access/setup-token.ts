// The token of the link that the first start prints. Whoever has it creates the first account, the administrator.
import { hash } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { highestPlan } from '../kernel/plans.ts';
import { randomText } from '../store/identifiers.ts';
import type { OpenStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import { prepareAccount } from './accounts.ts';

/** Its name in the table of values. */
const stored = 'setup_token';

type Dependencies = {
  readonly store: Pick<OpenStore, 'values' | 'accounts' | 'signIn'>;
};

export function createSetupToken({ store }: Dependencies) {
  const isValid = async (token: string): Promise<boolean> =>
    (await store.values.get(stored)) === hash('sha256', token, 'hex') && !(await store.accounts.adminExists());

  return {
    isValid,

    /** Replaces an older one; only its hash is stored. */
    async create(): Promise<string> {
      const token = randomText(32);
      await store.values.set(stored, hash('sha256', token, 'hex'));
      return token;
    },

    /** Creates the account. The token works once, even if it is used twice at the same moment. */
    async accept({
      token,
      email,
      password,
      name,
    }: {
      token: string;
      email: string;
      password: string;
      name?: string;
    }): Promise<Pick<Account, 'email'>> {
      if (!(await isValid(token))) throw usedUp();
      const account = await prepareAccount({ email, password, name, plan: highestPlan, admin: true });
      const made = await store.signIn.createFirstAdmin(stored, hash('sha256', token, 'hex'), account);
      if (made === undefined) throw usedUp();
      return made;
    },
  };
}

const usedUp = () =>
  new Problem('forbidden', {
    message: 'This setup link is used up or out of date. The newest one is in the output of the last start.',
  });
