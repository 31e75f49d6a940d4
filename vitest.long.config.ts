// `npm run test:long`: suites of many pages that take minutes, apart from `npm test`. CI runs both.
import { defineConfig } from 'vitest/config';
import { longSuites } from './vitest.config.ts';

export default defineConfig({
  test: { include: [...longSuites], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
});
