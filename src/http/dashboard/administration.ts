// For administrators only: all accounts with their plans and usage, the health of the service, and the whole cache.
import type { FastifyInstance } from 'fastify';
import { lastAdministrator, setPassword } from '../../access/accounts.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { planNames } from '../../kernel/plans.ts';
import type { Account } from '../../store/store.ts';
import { recordAction } from './audit.ts';
import { fieldsOf, readChoice, readText } from './body.ts';
import type { AdminAccountBody, AdminAccountsView, AdminAccountView, Sums } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn, type Unchecked } from './route.ts';

const usageMs = 30 * 24 * 60 * 60 * 1000;

export function registerAdministration(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { store, cache, health, journal } = dependencies;
  const record = recordAction(dependencies);

  route('GET /api/admin/accounts', async (request, reply): Promise<AdminAccountsView> => {
    await guard.admin(request, reply);
    await journal.flush();
    const [accounts, used] = await Promise.all([store.accounts.list(), store.usage.byAccount(Date.now() - usageMs)]);
    const usage = new Map(used.map(({ accountId, ...sums }) => [accountId, sums]));
    const views = accounts.map((account) => accountView(account, usage.get(account.id) ?? none));
    return { accounts: views.sort((a, b) => b.createdAt - a.createdAt) };
  });

  async function accountOf(id: string): Promise<Account> {
    const account = await store.accounts.byId(id);
    if (account === undefined) throw new Problem('not_found', { message: 'There is no such account.' });
    return account;
  }

  route('PATCH /api/admin/accounts/:id', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const account = await accountOf(request.params.id);
    const { plan, disabled, admin: isAdmin, twoFactor } = readChanges(fieldsOf(request));
    if (plan !== undefined && plan !== account.plan) {
      await store.accounts.setPlan(account.id, plan);
      await record(admin, 'plan_changed', account.email, `${account.plan} → ${plan}`);
    }
    if (disabled !== undefined) {
      if (account.id === admin.id)
        throw new Problem('conflict', { parameter: 'disabled', message: 'You cannot disable your own account.' });
      if (!(await store.accounts.setDisabled(account.id, disabled))) throw lastAdministrator('disabled');
      // Those of before must not be valid again when the account is enabled.
      if (disabled) await store.signIn.endSessions(account.id);
      await record(admin, disabled ? 'account_disabled' : 'account_enabled', account.email);
    }
    if (isAdmin !== undefined && isAdmin !== account.admin) {
      if (!(await store.accounts.setAdmin(account.id, isAdmin))) throw lastAdministrator('admin');
      await record(admin, isAdmin ? 'promoted' : 'demoted', account.email);
    }
    if (twoFactor === false && account.twoFactor) {
      await store.signIn.removeTwoFactor(account.id);
      await record(admin, 'two_factor_removed', account.email);
    }
    return reply.code(204).send();
  });

  route('POST /api/admin/accounts/:id/password', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const account = await accountOf(request.params.id);
    if (account.id === admin.id)
      throw new Problem('conflict', {
        message: 'Change your own password in Settings, where the current one is asked.',
      });
    await setPassword(store, account.id, readText(fieldsOf(request), 'password', 2000));
    await record(admin, 'password_set', account.email);
    return reply.code(204).send();
  });

  route('GET /api/admin/health', async (request, reply) => {
    await guard.admin(request, reply);
    return health();
  });

  route('POST /api/admin/cache/purge', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const removed = await cache.purge();
    await record(admin, 'cache_purged', null, `${removed} results`);
    return { removed };
  });
}

/** Every field is checked before anything is changed. */
function readChanges(fields: Unchecked<AdminAccountBody>) {
  const flag = (name: 'disabled' | 'admin' | 'twoFactor'): boolean | undefined => {
    const value = fields[name];
    if (value !== undefined && typeof value !== 'boolean')
      throw invalidParameter(name, `${name} must be true or false.`);
    return value;
  };
  const twoFactor = flag('twoFactor');
  if (twoFactor === true)
    throw invalidParameter('twoFactor', 'twoFactor can only be turned off; the owner of the account turns it on.');
  const plan = fields.plan === undefined ? undefined : readChoice(fields.plan, 'plan', planNames);
  return { plan, disabled: flag('disabled'), admin: flag('admin'), twoFactor };
}

const none: Sums = { renders: 0, hits: 0, errors: 0 };

const accountView = (account: Account, usage: Sums): AdminAccountView => {
  const { id, email, name, plan, admin, disabled, twoFactor, createdAt } = account;
  return { id, email, name, plan, admin, disabled, twoFactor, createdAt, usage };
};
