// The suites, one project each: `npm test` runs `main`, `npm run test:long` and `npm run test:cluster` the others.
import { configDefaults, defineConfig } from 'vitest/config';

/** Many real pages or waits each, together some minutes. */
const long = [
  'src/cards/html/html-painter.test.ts',
  'test/access/sign-in-rules.test.ts',
  'test/capture/before-load.test.ts',
  'test/capture/clock.test.ts',
  'test/capture/elements.test.ts',
  'test/capture/emulation.test.ts',
  'test/capture/fleet.test.ts',
  'test/capture/frames.test.ts',
  'test/capture/full-page.test.ts',
  'test/capture/hide.test.ts',
  'test/capture/hostile-pages.test.ts',
  'test/capture/isolated-world.test.ts',
  'test/capture/print-layout.test.ts',
  'test/capture/render-limits.test.ts',
  'test/capture/rest.test.ts',
  'test/capture/reveal.test.ts',
  'test/capture/settle.test.ts',
  'test/capture/short-of-time.test.ts',
  'test/capture/stages.test.ts',
  'test/capture/unpin.test.ts',
  'test/capture/waiting.test.ts',
  'test/capture/windows.test.ts',
  'test/clean/ads.test.ts',
  'test/clean/banners.test.ts',
  'test/clean/edges.test.ts',
  'test/clean/untouched.test.ts',
  'test/cli/batch-ends.test.ts',
  'test/cli/batch.test.ts',
  'test/cli/render.test.ts',
  'test/cli/secret-service.test.ts',
  'test/cli/secret.test.ts',
  'test/cli/templates-dev.test.ts',
  'test/cli/terminal.test.ts',
  'test/cli/transfer.test.ts',
  'test/cli/wrong-settings.test.ts',
  'test/client/retries.test.ts',
  'test/content/hidden.test.ts',
  'test/content/hostile.test.ts',
  'test/content/large-pages.test.ts',
  'test/content/visible.test.ts',
  'test/content/writing.test.ts',
  'test/faults/jobs.test.ts',
  'test/faults/shutdown.test.ts',
  'test/faults/storage.test.ts',
  'test/mcp/hundred-pages.test.ts',
  'test/mcp/inspector.test.ts',
  'test/mcp/stdio-renders.test.ts',
  'test/cards/pictures.test.ts',
  'test/cards/scripts.test.ts',
  'test/cards/templates.test.ts',
  'test/security/browser-vectors.test.ts',
  'test/security/card-deadline.test.ts',
  'test/security/deadlines.test.ts',
  'test/security/event-loop.test.ts',
  'test/security/hostile-bodies.test.ts',
  'test/security/hostile-markdown.test.ts',
  'test/security/login-initiators.test.ts',
  'test/security/login-requests.test.ts',
  'test/security/login.test.ts',
  'test/sites/hostile-pages.test.ts',
  'test/sites/slow-sites.test.ts',
  'test/spec/emulation.test.ts',
  'test/spec/fair-slots.test.ts',
  'test/spec/markdown.test.ts',
  'test/spec/pdf-pages.test.ts',
  'test/store/faults.test.ts',
  'test/store/transfer.test.ts',
  'test/templates/editor-api.test.ts',
  'test/templates/operator-folder.test.ts',
  'test/verdict/walls.test.ts',
  'test/web/accessibility.test.ts',
  'test/web/account-life.test.ts',
  'test/web/administration.test.ts',
  'test/web/first-picture.test.ts',
  'test/web/high-contrast.test.ts',
  'test/web/interaction.test.ts',
  'test/web/jobs.test.ts',
  'test/web/openid.test.ts',
  'test/web/own-pages.test.ts',
  'test/web/pdf-preview.test.ts',
  'test/web/playground.test.ts',
  'test/web/reference.test.ts',
  'test/web/samples.test.ts',
  'test/web/second-factors.test.ts',
  'test/web/security.test.ts',
  'test/web/sites.test.ts',
  'test/web/template-editor.test.ts',
  'test/web/verdicts.test.ts',
  'test/web/webhooks.test.ts',
  'test/webhooks/kill.test.ts',
  'test/webhooks/several-senders.test.ts',
];
const cluster = 'test/cluster/**/*.test.ts';
/** They install tools from npm. */
const clients = 'test/clients/*.test.ts';
const examples = 'test/examples/*.test.ts';
const lighthouse = 'test/lighthouse/*.test.ts';

/** Used without `--project`. Vitest accepts this option in a configuration too, but its types do not. */
const defaultProject = { project: 'main' };

export default defineConfig({
  test: {
    ...defaultProject,
    reporters: ['default', './test/harness/slowest-files.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the second that Vitest gives a poll.
    expect: { poll: { timeout: 20_000 } },
    // Browsers need the cores: more workers than this slow each other down.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'main',
          include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, cluster, clients, examples, lighthouse, ...long],
        },
      },
      { test: { name: 'long', include: long } },
      { test: { name: 'clients', include: [clients] } },
      { test: { name: 'examples', include: [examples] } },
      { test: { name: 'lighthouse', include: [lighthouse] } },
      {
        // Each file starts many processes and servers.
        test: { name: 'cluster', include: [cluster], testTimeout: 90_000, hookTimeout: 90_000, fileParallelism: false },
      },
      {
        // The tests of test/spec again, on three api and three render processes.
        test: {
          name: 'cluster-spec',
          include: ['test/spec/**/*.test.ts'],
          globalSetup: 'test/cluster/spec-setup.ts',
          fileParallelism: false,
        },
      },
    ],
  },
});
