// The title of a page without the name of its site.

/** Between a title and the name of a site. A hyphen or a dash counts only between blanks. */
const separators = [
  ' | ',
  ' - ',
  ' – ',
  ' — ',
  ' · ',
  ' • ',
  ' :: ',
  ' » ',
  ' « ',
  ' / ',
  ' ~ ',
  ' @ ',
  ' : ',
  ': ',
  '｜',
  '|',
];

const sure: ReadonlySet<string> = new Set([' | ', ' :: ', '｜']);

/** Letters without accents and digits, in lower case: "The Verge" and "theverge" are the same. */
export const plainName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Without " | My Site" at the end or "My Site: " at the beginning, where `names` has "My Site". A title that is nothing but the
 * name stays.
 */
export function withoutSiteName(given: string, names: readonly string[]): string {
  const known = new Set(names.map(plainName).filter((name) => name.length > 1));
  const title = given.replace(/\s{0,9}(?:::|[|»«·]){1,3}$/, '');
  if (known.has(plainName(title))) return title;
  const words = new Set([...known].filter((name) => name.length > 3));
  for (const separator of separators) {
    const last = title.lastIndexOf(separator);
    const end = last > 0 ? title.slice(last + separator.length) : '';
    // "Hello | My News Example" on example.com: behind these separators stands nothing but a name.
    const isLongName = sure.has(separator) && end.split(' ').some((word) => words.has(plainName(word)));
    if (end !== '' && (isLongName || known.has(plainName(end)))) {
      const rest = title.slice(0, last).trim();
      if (rest !== '') return withoutSiteName(rest, names);
    }
    const start = title.indexOf(separator);
    if (start > 0 && known.has(plainName(title.slice(0, start)))) {
      const rest = title.slice(start + separator.length).trim();
      if (rest !== '') return rest;
    }
  }
  return title;
}

/** Only the heading, where the title is that and more: "Hello – My Site" on a page with the heading "Hello". */
export function asInHeading(title: string, heading: string): string {
  const isLonger = heading.length > 2 && title.length > heading.length && title.startsWith(heading);
  const rest = isLonger ? title.slice(heading.length) : '';
  return separators.some((separator) => rest.startsWith(separator)) ? heading : title;
}

/** Names that a host suggests: of "blog.example.com" these are "blog", "example", "example.com" and the whole. */
export function namesOfHost(host: string): string[] {
  const labels = host.replace(/^www\./, '').split('.');
  return [host, ...labels.slice(0, -1).flatMap((label, at) => [label, labels.slice(at).join('.')])];
}
