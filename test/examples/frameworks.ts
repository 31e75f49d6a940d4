// How the example of each guide that installs from npm is built. The guide has its code; what every project of the framework has
// anyway is here.

export type Framework = {
  readonly guide: string;
  readonly packages: readonly string[];
  /** Files that the guide takes for granted. */
  readonly starter: Readonly<Record<string, string>>;
  /** The program of node_modules, and its arguments. */
  readonly build: readonly [string, ...string[]];
  /** The page that has the card. */
  readonly page: string;
  /** What browsers can load. */
  readonly publicFolders: readonly string[];
  readonly title: string;
  /** Before the names of the variables of the environment. */
  readonly prefix?: string;
};

export const frameworks: readonly Framework[] = [
  {
    guide: 'nextjs',
    packages: [
      'next@16.4.6',
      'react@19.3.1',
      'react-dom@19.3.1',
      'typescript@5.9.3',
      '@types/react@19.3.0',
      '@types/node@24.19.2',
    ],
    starter: {
      'app/layout.tsx': `import type { ReactNode } from 'react';
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
      'app/blog/[slug]/layout.tsx': `import type { ReactNode } from 'react';
export const generateStaticParams = () => [{ slug: 'hello' }];
export default function Layout({ children }: { children: ReactNode }) {
  return <main>{children}</main>;
}
`,
      'lib/posts.ts': `export const getPost = async (slug: string) => ({ title: \`\${slug} from Next.js & friends\`, author: 'Ada' });
`,
    },
    build: ['next/dist/bin/next', 'build'],
    page: '.next/server/app/blog/hello.html',
    publicFolders: ['.next/static', '.next/server/app/blog'],
    title: 'hello from Next.js & friends',
  },
  {
    guide: 'astro',
    packages: ['astro@7.3.0'],
    starter: {},
    build: ['astro/bin/astro.mjs', 'build'],
    page: 'dist/index.html',
    publicFolders: ['dist'],
    title: 'Hello from Astro & friends',
  },
  {
    guide: 'nuxt',
    packages: ['nuxt@4.5.2', 'vue@3.5.45'],
    starter: { 'app/app.vue': '<template><NuxtPage /></template>\n' },
    build: ['nuxt/bin/nuxt.mjs', 'generate'],
    page: '.output/public/index.html',
    publicFolders: ['.output/public'],
    title: 'Hello from Nuxt & friends',
    prefix: 'NUXT_',
  },
  {
    guide: 'sveltekit',
    packages: [
      '@sveltejs/kit@3.1.1',
      'svelte@5.57.3',
      '@sveltejs/adapter-static@4.0.0',
      '@sveltejs/vite-plugin-svelte@7.3.1',
      'vite@8.3.8',
    ],
    starter: {
      'vite.config.js': `import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit({ adapter: adapter() })] };
`,
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
    },
    build: ['vite/bin/vite.js', 'build'],
    page: 'build/index.html',
    publicFolders: ['build'],
    title: 'Hello from SvelteKit & friends',
  },
  {
    guide: 'eleventy',
    packages: ['@11ty/eleventy@3.1.2'],
    starter: {},
    build: ['@11ty/eleventy/cmd.cjs'],
    page: '_site/index.html',
    publicFolders: ['_site'],
    title: 'Hello from Eleventy & friends',
  },
];
