// For administrators only: invitations, and the list of what administrators did.
import type { FastifyInstance } from 'fastify';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { planNames } from '../../kernel/plans.ts';
import type { Invitation } from '../../store/store.ts';
import { recordAction } from './audit.ts';
import { cursorIn, fieldsOf, nextPage, queryOf, readChoice, readText } from './body.ts';
import type { AuditView, InvitationView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';

const pageSize = 50;

export function registerInvitations(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { store, signIn } = dependencies;
  const record = recordAction(dependencies);

  route('GET /api/admin/invitations', async (request, reply) => {
    await guard.admin(request, reply);
    return { invitations: (await store.invitations.list(Date.now())).map(view) };
  });

  route('POST /api/admin/invitations', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const fields = fieldsOf(request);
    if (typeof fields.admin !== 'boolean') throw invalidParameter('admin', 'admin must be true or false.');
    const made = await signIn.invitations.create(
      {
        email: readText(fields, 'email', 2000),
        plan: readChoice(fields.plan, 'plan', planNames),
        admin: fields.admin,
        days: Number(fields.days),
      },
      admin,
    );
    const { email, plan } = made.invitation;
    await record(admin, 'invitation_created', email, `${plan}${fields.admin ? ', administrator' : ''}`);
    reply.code(201);
    return { invitation: view(made.invitation), link: made.link, sent: made.sent };
  });

  route('DELETE /api/admin/invitations/:id', async (request, reply) => {
    const admin = await guard.admin(request, reply);
    const removed = await store.invitations.remove(request.params.id);
    if (removed === undefined) throw new Problem('not_found', { message: 'There is no such invitation.' });
    await record(admin, 'invitation_withdrawn', removed.email);
    return reply.code(204).send();
  });

  route('GET /api/admin/audit', async (request, reply): Promise<AuditView> => {
    await guard.admin(request, reply);
    const found = await store.audit.list(pageSize, cursorIn(queryOf(request)));
    return {
      actions: found.map(({ actorId: _, ...action }) => action),
      next: nextPage(found, pageSize, ({ at, id }) => ({ at, id })),
    };
  });
}

const view = ({ id, email, plan, admin, createdAt, expiresAt }: Invitation): InvitationView => ({
  ...{ id, email, plan, admin, createdAt, expiresAt },
});
