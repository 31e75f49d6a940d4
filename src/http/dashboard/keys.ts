// The account's API keys.
import type { FastifyInstance } from 'fastify';
import { createKey, hostPatterns, keyName } from '../../access/keys.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import type { ApiKey } from '../../store/store.ts';
import { ownPrefix } from '../../templates/own-templates.ts';
import { checkAll, fieldsOf, readText, readTexts, time } from './body.ts';
import type { CreatedKeyView, KeysView, KeyView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';

const maxRestrictions = 50;

export function registerKeys(app: FastifyInstance, { store, plans, cards }: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  route('GET /api/keys', async (request, reply): Promise<KeysView> => {
    const account = await guard.account(request, reply);
    const keys = (await store.keys.list(account.id)).map(keyView);
    return {
      keys: keys.sort((a, b) => b.createdAt - a.createdAt),
      active: keys.filter(({ status }) => status === 'active').length,
      limit: plans[account.plan].keys,
    };
  });

  route('POST /api/keys', async (request, reply): Promise<CreatedKeyView> => {
    const account = await guard.account(request, reply);
    const fields = fieldsOf(request);
    const own = (await store.ownTemplates.list(account.id)).map((template) => ownPrefix + template.name);
    const checked = checkAll({
      name: () => keyName(readText(fields, 'name', 1000)),
      expiresAt: () => inFuture(time(fields, 'expiresAt')),
      allowedHosts: () => hostPatterns(readTexts(fields, 'allowedHosts', maxRestrictions)),
      allowedTemplates: () => knownTemplates(readTexts(fields, 'allowedTemplates', maxRestrictions), own),
    });
    const made = await createKey(store, { ...checked, accountId: account.id, limit: plans[account.plan].keys });
    reply.code(201);
    return { key: keyView(made.key), secret: made.secret, signingSecret: made.signingSecret };
  });

  route('PATCH /api/keys/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    const name = keyName(readText(fieldsOf(request), 'name', 1000));
    if (!(await store.keys.rename(account.id, request.params.id, name))) throw noSuchKey();
    return reply.code(204).send();
  });

  route('DELETE /api/keys/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    if (!(await store.keys.revoke(request.params.id, account.id))) throw noSuchKey();
    return reply.code(204).send();
  });

  function knownTemplates(names: string[] | null, own: readonly string[]): string[] | null {
    const known = new Set([...own, ...cards.catalogue.map(({ name }) => name)]);
    const unknown = names?.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw invalidParameter(
        'allowedTemplates',
        `allowedTemplates has "${unknown.slice(0, 80)}", which does not exist.`,
      );
    return names;
  }
}

function inFuture(at: number | null): number | null {
  if (at !== null && at <= Date.now()) throw invalidParameter('expiresAt', 'expiresAt must be in the future.');
  return at;
}

// The same error for another account's key and for one that never existed.
export const noSuchKey = () => new Problem('not_found', { message: 'There is no such active key in your account.' });

function keyView(key: ApiKey): KeyView {
  const { id, name, first, last, createdAt, lastUsedAt, revokedAt, expiresAt, allowedHosts, allowedTemplates } = key;
  const expired = expiresAt !== null && expiresAt <= Date.now();
  return {
    ...{ id, name, first, last, createdAt, lastUsedAt, revokedAt, expiresAt, allowedHosts, allowedTemplates },
    status: revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active',
  };
}
