// For administrators only: all accounts and their plans, the health of the service, and the whole cache.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { planNames } from '../../kernel/plans.ts';
import type { Account } from '../../store/store.ts';
import { fieldsOf, readChoice } from './body.ts';
import type { AdminAccountsView, AdminAccountView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';

export function registerAdministration(
  app: FastifyInstance,
  { store, cache, health, log }: DashboardDependencies,
  guard: Guard,
): void {
  const route = registerOn(app);
  route('GET /api/admin/accounts', async (request, reply): Promise<AdminAccountsView> => {
    await guard.admin(request, reply);
    const accounts = await store.accounts.list();
    return { accounts: accounts.map(accountView).sort((a, b) => b.createdAt - a.createdAt) };
  });

  route('PATCH /api/admin/accounts/:id', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const { plan, disabled } = fieldsOf(request);
    const account = await store.accounts.byId(request.params.id);
    if (account === undefined) throw new Problem('not_found', { message: 'There is no such account.' });
    if (plan !== undefined) {
      await store.accounts.setPlan(account.id, readChoice(plan, 'plan', planNames));
      log.info({ account: account.id, by: admin.id, plan }, 'plan changed');
    }
    if (disabled !== undefined) {
      if (typeof disabled !== 'boolean') throw new Problem('invalid_parameter', { parameter: 'disabled' });
      if (account.id === admin.id)
        throw new Problem('conflict', { parameter: 'disabled', message: 'You cannot disable your own account.' });
      await store.accounts.setDisabled(account.id, disabled);
      log.info({ account: account.id, by: admin.id, disabled }, disabled ? 'account disabled' : 'account enabled');
    }
    return reply.code(204).send();
  });

  route('GET /api/admin/health', async (request, reply) => {
    await guard.admin(request, reply);
    return health();
  });

  route('POST /api/admin/cache/purge', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const removed = await cache.purge();
    log.info({ by: admin.id, removed }, 'cache purged');
    return { removed };
  });
}

const accountView = ({ id, email, name, plan, admin, disabled, createdAt }: Account): AdminAccountView => ({
  ...{ id, email, name, plan, admin, disabled, createdAt },
});
