// The validation of requests without a server: it accepts every address and every template, with all variables given.
import { plans } from '../../src/kernel/plans.ts';
import { createValidator } from '../../src/render/validate.ts';

export const testValidator = () =>
  createValidator({
    plans,
    egress: { check: (url) => new URL(url) },
    secret: 'test',
    cards: { check: (_, given) => ({ variables: Object.fromEntries(given), version: '1', warnings: [] }) },
    ownTemplates: { find: () => Promise.reject(new Error('unused')) },
  });
