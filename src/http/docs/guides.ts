// The guides of docs/ that concern users of a server, in the order of the documentation. A guide whose file does not exist is left out.

export type Guide = {
  /** The path of the file in docs/ without `.md`, and of the page. */
  readonly name: string;
  readonly group: string;
  /** One sentence: for the overview, search engines and agents. */
  readonly summary: string;
};

export const guides: readonly Guide[] = [
  {
    name: 'screenshots',
    group: 'Pages',
    summary: 'How a web page becomes an image or a PDF: waiting, full pages, freshness, headers, limits.',
  },
  {
    name: 'html-and-logins',
    group: 'Pages',
    summary: 'Send HTML or Markdown, capture one element, and open pages behind a login.',
  },
  {
    name: 'content',
    group: 'Pages',
    summary: 'Read a web page as Markdown, text or HTML, with its title, author and links.',
  },
  {
    name: 'verdicts',
    group: 'Pages',
    summary: 'How to tell that a capture shows the page, and reject it where it does not.',
  },
  {
    name: 'og-templates',
    group: 'Cards',
    summary: 'Every template of Open Graph images with its variables and a picture.',
  },
  {
    name: 'own-templates',
    group: 'Cards',
    summary: 'Make templates of your own in HTML and CSS, or add files of your own to the server.',
  },
  { name: 'site-cards', group: 'Cards', summary: 'An og:image for every page of a site with one line of HTML.' },
  { name: 'signed-links', group: 'Cards', summary: 'Links for public HTML that work without a key.' },
  {
    name: 'guides/typescript',
    group: 'Frameworks',
    summary: 'A typed client for Node, Bun, Deno, Workers and browsers: results, errors, retries, jobs, signed links.',
  },
  { name: 'guides/nextjs', group: 'Frameworks', summary: 'An og:image for every page of a Next.js site.' },
  { name: 'guides/astro', group: 'Frameworks', summary: 'An og:image for every page of an Astro site.' },
  { name: 'guides/nuxt', group: 'Frameworks', summary: 'An og:image for every page of a Nuxt site.' },
  { name: 'guides/sveltekit', group: 'Frameworks', summary: 'An og:image for every page of a SvelteKit site.' },
  { name: 'guides/eleventy', group: 'Frameworks', summary: 'An og:image for every page of an Eleventy site.' },
  { name: 'guides/hugo', group: 'Frameworks', summary: 'An og:image for every page of a Hugo site, without a client.' },
  { name: 'guides/wordpress', group: 'Frameworks', summary: 'An og:image for every post of WordPress, with one file.' },
  { name: 'guides/html', group: 'Frameworks', summary: 'An og:image for a page that is written by hand.' },
  { name: 'jobs', group: 'Automation', summary: 'Work that nobody waits for, and batches of up to 500 requests.' },
  { name: 'batch', group: 'Automation', summary: 'Many requests from a file, on the command line.' },
  { name: 'mcp', group: 'Automation', summary: 'The service as tools for agents, by the Model Context Protocol.' },
  { name: 'dashboard', group: 'Automation', summary: 'Keys, usage, the playground and captures in the browser.' },
  { name: 'parameters', group: 'Reference', summary: 'Every parameter with its range, default and plan.' },
  { name: 'errors', group: 'Reference', summary: 'Every error code with its status and meaning.' },
  { name: 'plans', group: 'Reference', summary: 'What each plan includes.' },
  { name: 'http', group: 'Reference', summary: 'CORS, caching, ranges, compression, rate headers; removing results.' },
  { name: 'contract', group: 'Reference', summary: 'What callers may rely on.' },
];
