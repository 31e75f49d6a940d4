// The plans: their limits are numbers of docs/contract.md. The plan of each parameter is in screenshot-parameters.test.ts.
import { expect, it } from 'vitest';
import { planNames, plans } from '../../src/kernel/plans.ts';

it('are four, from the lowest to the highest', () => {
  expect(planNames).toEqual(['free', 'starter', 'pro', 'business']);
});

it('have the limits of the contract', () => {
  expect(plans).toEqual({
    free: {
      label: 'Free',
      ttlDays: 7,
      keys: 2,
      rendersPerMinute: 60,
      rendersAtOnce: 2,
      jobsQueued: 100,
      storageMb: 2_000,
    },
    starter: {
      label: 'Starter',
      ttlDays: 14,
      keys: 5,
      rendersPerMinute: 120,
      rendersAtOnce: 4,
      jobsQueued: 1_000,
      storageMb: 5_000,
    },
    pro: {
      label: 'Pro',
      ttlDays: 30,
      keys: 20,
      rendersPerMinute: 300,
      rendersAtOnce: 8,
      jobsQueued: 10_000,
      storageMb: 20_000,
    },
    business: {
      label: 'Business',
      ttlDays: 60,
      keys: 100,
      rendersPerMinute: 600,
      rendersAtOnce: 16,
      jobsQueued: 100_000,
      storageMb: 100_000,
    },
  });
});
