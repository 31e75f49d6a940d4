import type { Budget } from '../../src/egress/egress-types.ts';

/** More than any test takes. */
export const plenty: Budget = { requests: 1000, connections: 1000, bytes: 1e9, responseBytes: 1e9, sentBytes: 1e9 };
