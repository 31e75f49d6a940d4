import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, 'dist');

/** Compressed once, here, at full strength: the server then only picks the file. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async closeBundle() {
    const assets = join(outDir, 'assets');
    for (const name of await readdir(assets)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const bytes = await readFile(join(assets, name));
      await writeFile(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      await writeFile(join(assets, `${name}.br`), brotliCompressSync(bytes));
    }
  },
};

/** The font that every page needs is asked for with the document, not after its style sheet. */
const preloadedFonts: Plugin = {
  name: 'preloaded-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head' as const,
        })),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwind(), preloadedFonts, compressed],
  // Preact under React's name: a third of the script, and phones are ready sooner (npm run test:lighthouse).
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
  build: {
    outDir,
    emptyOutDir: true,
    // The server writes the pages of the documentation, and finds their script and style by this file.
    manifest: 'manifest.json',
    rolldownOptions: {
      // Packages say "use client", which means nothing here.
      checks: { moduleLevelDirective: false },
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'src/docs/main.ts')],
    },
    // The content security policy allows no data: fonts and no inline script, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/v1': 'http://127.0.0.1:3000' } },
});
