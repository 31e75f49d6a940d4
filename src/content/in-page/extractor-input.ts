// Runs inside the page: prepares a copy for the extractor, which judges elements by their names, classes and ids, and would take
// parts of an article for decoration, navigation or a form.

export default function () {
  const headings = ':is(h1, h2, h3, h4, h5, h6)';
  const isNote = /(?:^|[\s_-])(note|tip|caution|danger|warning|important|admonition|callout)(?:[\s_-]|$)/i;

  const textLength = (root: Element): number => (root.textContent ?? '').replace(/\s+/g, ' ').trim().length;

  const linkLength = (root: Element): number => {
    let length = 0;
    for (const link of root.querySelectorAll('a')) length += textLength(link);
    return length;
  };

  const rename = (element: Element, name: string): Element => {
    const other = element.ownerDocument.createElement(name);
    for (const { name: key, value } of element.attributes) other.setAttribute(key, value);
    while (element.firstChild) other.append(element.firstChild);
    element.replaceWith(other);
    return other;
  };

  const prepareForExtractor = (own: Document) => {
    // Headings with a link to themselves or to an editor beside them.
    for (const box of new Set([...own.querySelectorAll(`div > ${headings}`)].map((heading) => heading.parentElement))) {
      if (!box || box.childElementCount > 3 || box.querySelector('p, pre, ul, ol, table, img')) continue;
      const heading = box.querySelector(headings);
      if (heading && textLength(box) - textLength(heading) < 30) box.before(heading);
    }
    for (const nav of own.querySelectorAll(':is(article, main) nav')) if (isNavigation(nav)) nav.remove();
    forgetNames(own);
    // Those that repeat the title.
    for (const heading of own.querySelectorAll('h1')) rename(heading, 'h3').setAttribute('data-first', '');
    for (const aside of own.querySelectorAll(':is(article, main) aside'))
      if (isNote.test(aside.className)) rename(aside, 'div');
    for (const footer of own.querySelectorAll('blockquote > footer')) rename(footer, 'p');
    for (const control of own.querySelectorAll(':is(input, select, textarea)[data-text]'))
      control.replaceWith(` ${control.getAttribute('data-text')} `);
    // The question of an answer that opens on a click.
    for (const button of own.querySelectorAll('button'))
      if (button.closest(`${headings}, summary, dt`) || /[?？؟]\s*$/.test(button.textContent ?? ''))
        rename(button, 'span');
    for (const line of own.querySelectorAll('pre br')) line.replaceWith('\n');
    // Empty lines of code.
    for (const line of own.querySelectorAll('pre div'))
      if (/^\s+$/.test(line.textContent ?? '')) line.replaceWith('\n');
  };

  /** Bread crumbs, a list of the headings, or links to the pages before and after. */
  const isNavigation = (nav: Element): boolean =>
    !nav.querySelector('h1, pre, table') && linkLength(nav) > 0.2 * textLength(nav);

  /** The extractor leaves out what is called a comment, a header, a menu, pagination, related or extra. */
  const forgetNames = (own: Document) => {
    forgetSlugs(own);
    // A heading often has its own words as its id, and "header" as its class.
    for (const heading of own.querySelectorAll(headings)) {
      heading.removeAttribute('id');
      heading.removeAttribute('class');
    }
    reader.forgetScrollers(own);
    // Comments of code.
    for (const part of own.querySelectorAll('pre [class]')) part.removeAttribute('class');
    // The times and the servings of a recipe.
    for (const part of own.querySelectorAll('[class*="recipe" i]'))
      part.setAttribute('class', (part.getAttribute('class') ?? '').replace(/meta|header|tags/gi, ''));
    // Tables that have a header.
    for (const table of own.querySelectorAll('table[class*="header" i]'))
      table.setAttribute('class', table.className.replace(/header/gi, ''));
  };

  const isBoilerplate = /comment|related|footer|header|sidebar|share|social|menu|pagination|sponsor/i;

  /**
   * Sections whose id is their heading, as generators of documentation write them: a section about comments is no list of
   * comments. It is one of several, or part of one; what a site adds to its articles is not.
   */
  const forgetSlugs = (own: Document) => {
    const sections = new Set<Element>();
    for (const heading of own.querySelectorAll(`:is(section, div)[id] > ${headings}:first-child`)) {
      const section = heading.parentElement as Element;
      const id = reader.lettersOf(section.id);
      if (id !== '' && id === reader.lettersOf(reader.cut(heading.textContent ?? '', 200))) sections.add(section);
    }
    const around = new Set<Element | null>(sections);
    for (const section of sections) if (!isBoilerplate.test(section.id)) around.add(section.parentElement);
    for (const section of sections) if (around.has(section.parentElement)) section.removeAttribute('id');
  };

  return { prepareForExtractor, rename, textLength, linkLength };
}
