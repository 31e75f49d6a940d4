// The frame of every page of the documentation: header, navigation, contents, previous and next.
import { escapeHtml } from '../../kernel/escape-html.ts';
import type { Heading } from './guide.ts';

export type NavigationLink = { readonly href: string; readonly title: string; readonly method?: string };
export type NavigationGroup = { readonly title: string; readonly links: readonly NavigationLink[] };

/** Files that Vite built. There are none where the dashboard is not built: the pages then have no style, and can be read. */
export type Assets = {
  readonly script?: string;
  /** What the script imports: fetched with it, not after it. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
};

export type PageContent = {
  readonly href: string;
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The same page as Markdown. */
  readonly markdown?: string;
};

export function layout(page: PageContent, groups: readonly NavigationGroup[], assets: Assets): string {
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex(({ href }) => href === page.href);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.summary)}">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${assets.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`).join('\n')}
${assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<script src="/theme.js"></script>
${assets.imports.map((href) => `<link rel="modulepreload" href="${href}">`).join('\n')}
${assets.script ? `<script type="module" src="${assets.script}"></script>` : ''}
${page.markdown ? `<link rel="alternate" type="text/markdown" href="${page.markdown}">` : ''}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${header}
<div class="columns">
<nav id="navigation" aria-label="Documentation">${navigation(groups, page.href)}</nav>
<main id="main">
<article>${page.html}</article>
${ends(links[at - 1], at < 0 ? undefined : links[at + 1], page.markdown)}
</main>
${contents(page.headings)}
</div>
${searchDialog}
</body>
</html>
`;
}

const icon = (path: string): string =>
  `<svg aria-hidden="true" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;

const logo =
  '<svg aria-hidden="true" viewBox="0 0 20 20" fill="currentColor"><path fill-rule="evenodd" d="M5 1.5h10L18.5 5v10L15 18.5H5L1.5 15V5zM10 5a4 5 0 1 0 0 10 4 5 0 1 0 0-10z"/></svg>';

const header = `<header>
<button type="button" id="menu" class="plain scripted-only" aria-expanded="false" aria-controls="navigation" aria-label="Menu">${icon('M2.5 5h11 M2.5 11h11')}</button>
<a class="wordmark" href="/" aria-label="Tintype, home">${logo}Tintype</a>
<a class="place" href="/docs">Docs</a>
<span class="space"></span>
<button type="button" id="search" class="scripted-only" aria-label="Search">${icon('M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z M10.3 10.3l3.2 3.2')}<span>Search</span><kbd aria-hidden="true">/</kbd></button>
<a class="dashboard" href="/keys">Dashboard</a>
<button type="button" id="theme" class="plain scripted-only" aria-label="Change the theme">${icon('M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z')}</button>
</header>`;

const searchDialog = `<dialog id="search-dialog" aria-label="Search the documentation">
<input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="true" aria-controls="search-results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search the documentation">
<ul id="search-results" role="listbox" aria-label="Results"></ul>
<p class="state" role="status"></p>
</dialog>`;

const navigation = (groups: readonly NavigationGroup[], here: string): string =>
  groups
    .map(
      ({ title, links }) =>
        `<h2>${escapeHtml(title)}</h2><ul>${links
          .map(
            (link) =>
              `<li><a href="${link.href}"${link.href === here ? ' aria-current="page"' : ''}>${link.method ? `<span class="method ${link.method.toLowerCase()}">${link.method}</span>` : ''}<span>${escapeHtml(link.title)}</span></a></li>`,
          )
          .join('')}</ul>`,
    )
    .join('');

function contents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ depth }) => depth <= 3);
  if (listed.length < 2) return '';
  const items = listed.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function ends(
  previous: NavigationLink | undefined,
  next: NavigationLink | undefined,
  markdown: string | undefined,
): string {
  const link = (to: NavigationLink | undefined, rel: string, label: string) =>
    to
      ? `<a rel="${rel}" href="${to.href}"><small>${label}</small>${escapeHtml(to.method ? `${to.method} ${to.title}` : to.title)}</a>`
      : '<span></span>';
  const source = markdown ? `<p class="source"><a href="${markdown}">This page as Markdown</a></p>` : '';
  return `<footer>${source}<nav class="ends" aria-label="Previous and next">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav></footer>`;
}
