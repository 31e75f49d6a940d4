// The spec suite on a cluster of three api and three render processes: the same tests as in `npm test`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/spec/**/*.test.ts'],
    globalSetup: 'test/cluster/spec-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
