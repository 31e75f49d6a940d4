// The account's webhooks: the secret that signs them, and every delivery with its attempts.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { randomText } from '../../store/identifiers.ts';
import type { WebhookDelivery } from '../../store/webhooks.ts';
import type { WebhookSecret } from '../../webhooks/secrets.ts';
import { checkWebhookUrl } from '../../webhooks/webhook-url.ts';
import { fieldsOf, queryOf } from './body.ts';
import type { WebhookDeliveryView, WebhookDetailsView, WebhookSecretView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';

const pageSize = 25;
const hourMs = 60 * 60 * 1000;
/** Each is a row for seven days, and a request to a host that the account names. */
const testsAnHour = 60;

export function registerWebhooks(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { store, webhooks, egress } = dependencies;

  route('GET /api/webhooks/secret', async (request, reply) => {
    const account = await guard.account(request, reply);
    return secretView(await webhooks.secrets.of(account.id));
  });

  route('POST /api/webhooks/secret', async (request, reply) => {
    const account = await guard.account(request, reply);
    return secretView(await webhooks.secrets.rotate(account.id));
  });

  route('GET /api/webhooks/deliveries', async (request, reply) => {
    const account = await guard.account(request, reply);
    const before = queryOf(request).get('before') ?? undefined;
    const deliveries = await store.webhooks.list(account.id, pageSize, before);
    return {
      deliveries: deliveries.map(deliveryView),
      next: deliveries.length === pageSize ? (deliveries.at(-1)?.id ?? null) : null,
    };
  });

  route('GET /api/webhooks/deliveries/:id', async (request, reply): Promise<WebhookDetailsView> => {
    const account = await guard.account(request, reply);
    const found = await store.webhooks.find(account.id, request.params.id);
    if (found === undefined) throw noSuchDelivery();
    return { body: found.body, attempts: found.tries };
  });

  route('POST /api/webhooks/deliveries/:id/send', async (request, reply) => {
    const account = await guard.account(request, reply);
    if (!(await store.webhooks.sendAgain(account.id, request.params.id, Date.now()))) throw noSuchDelivery();
    webhooks.wake();
    return reply.code(204).send();
  });

  route('POST /api/webhooks/test', async (request, reply) => {
    const account = await guard.account(request, reply);
    const url = checkWebhookUrl(fieldsOf(request).url, egress, 'url');
    const at = Date.now();
    if ((await store.webhooks.testsSince(account.id, at - hourMs)) >= testsAnHour)
      throw new Problem('rate_limited', {
        message: `An account can send ${testsAnHour} test webhooks an hour.`,
        retryAfter: hourMs / 1000,
      });
    const subjectId = `test_${randomText(16)}`;
    const data = { id: subjectId, message: 'This is a test webhook of Tintype.' };
    const body = JSON.stringify({ type: 'test', timestamp: new Date(at).toISOString(), data });
    const id = await store.webhooks.add({ accountId: account.id, type: 'test', subjectId, url, body, at });
    webhooks.wake();
    reply.code(202);
    return { id: id ?? '' };
  });
}

// The same error for another account's delivery and for one that never existed.
const noSuchDelivery = () => new Problem('not_found', { message: 'There is no such delivery in your account.' });

const secretView = ({ secret, createdAt, previous }: WebhookSecret): WebhookSecretView => ({
  secret,
  createdAt,
  previousUntil: previous?.validUntil ?? null,
});

function deliveryView(delivery: WebhookDelivery): WebhookDeliveryView {
  const { id, type, subjectId, url, state, attempts, createdAt, dueAt, isSending } = delivery;
  return { id, type, subjectId, url, state, attempts, createdAt, nextAt: isSending ? null : dueAt };
}
