import { configDefaults, defineConfig } from 'vitest/config';

/** Minutes of real pages: `npm run test:long`. */
export const longSuites = [
  'test/capture/short-of-time.test.ts',
  'test/capture/speculation-fixtures.test.ts',
  'test/clean/banners.test.ts',
  'test/clean/edges.test.ts',
  'test/clean/untouched.test.ts',
  'test/verdict/walls.test.ts',
  'test/web/accessibility.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    // Many processes at once: `npm run test:cluster`.
    exclude: [...configDefaults.exclude, 'test/cluster/**', ...longSuites],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real browsers on two cores: more workers only make each other slow.
    maxWorkers: 2,
  },
});
