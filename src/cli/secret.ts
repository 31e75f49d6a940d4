// tintype secret rotate: a new secret of the service.
import { randomBytes } from 'node:crypto';
import { reencryptSignInValue } from '../access/sign-in-secret.ts';
import { openOwnStore } from '../app/own-store.ts';
import { resealRequest } from '../jobs/stored-request.ts';
import { createLog } from '../kernel/log.ts';
import { replaceServiceSecret, type SecretChange, type SecretChangeCounts } from '../store/service-secret.ts';
import { resealWebhookSecret } from '../webhooks/secrets.ts';
import type { Command } from './command.ts';
import { jsonOption } from './json-option.ts';

export const secretCommand: Command = {
  name: 'secret rotate',
  takes: [],
  options: { json: jsonOption },
  doc: "Replaces the service's secret and encrypts again what depends on it. Stop the service first. It signs everybody out and ends every imageUrl.",
  async run({ options }, io) {
    const { dataDir, databaseUrl } = io.config();
    // With SQLite this takes the lock of a server, so that none runs or starts meanwhile.
    const store = await openOwnStore({ dataDir, databaseUrl, log: createLog('silent') });
    try {
      const next = randomBytes(32).toString('hex');
      const counts = await replaceServiceSecret(store, next, (current) => changeOf(current, next));
      io.print(options.json ? JSON.stringify(counts, null, 2) : report(counts));
    } finally {
      await store.close();
    }
  },
};

const changeOf = (from: string, to: string): SecretChange => ({
  webhookSecret: (sealed, accountId) => resealWebhookSecret(sealed, accountId, from, to),
  jobRequest: (sealed, jobId) => resealRequest(sealed, jobId, from, to),
  signInValue: (encrypted) => reencryptSignInValue(encrypted, from, to),
});

const report = (counts: SecretChangeCounts): string =>
  [
    'The service has a new secret.',
    `Encrypted again: webhook secrets (${counts.webhookSecrets}), requests of jobs (${counts.jobRequests}), two-factor sign-ins (${counts.twoFactors}), tokens of providers (${counts.providerTokens}).`,
    ...(counts.unreadable === 0 ? [] : [`Could not be decrypted with the old secret: values (${counts.unreadable}).`]),
    `Ended: all sessions (${counts.sessionsEnded}), users sign in again; every imageUrl, request a new one.`,
  ].join('\n');
