// Notes what an administrator did, in the log and in the list that all administrators see.
import type { Account, AdminAction } from '../../store/store.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';

export const recordAction =
  ({ store, log }: Pick<DashboardDependencies, 'store' | 'log'>) =>
  async (
    actor: Account,
    action: AdminAction['action'],
    target: string | null = null,
    details: string | null = null,
  ): Promise<void> => {
    log.info({ by: actor.id, action }, 'administration');
    await store.audit.add({ at: Date.now(), actorId: actor.id, actor: actor.email, action, target, details });
  };
