// The search: an index that is loaded when the search is first opened, and looked through in the browser.

type Entry = { readonly page: string; readonly heading: string; readonly href: string; readonly text: string };

const mostResults = 20;

export function enableSearch(): void {
  const opener = document.getElementById('search') as HTMLButtonElement;
  const dialog = document.getElementById('search-dialog') as HTMLDialogElement;
  const field = dialog.querySelector('input') as HTMLInputElement;
  const list = dialog.querySelector('ul') as HTMLUListElement;
  const state = dialog.querySelector('.state') as HTMLElement;
  let entries: readonly Entry[] | undefined;
  let selected = 0;

  const show = () => {
    const query = field.value.trim();
    const found = entries === undefined || query === '' ? [] : search(entries, query);
    selected = 0;
    list.replaceChildren(...found.map((entry, at) => resultItem(entry, at, query)));
    state.textContent =
      entries === undefined
        ? 'Loading…'
        : query === ''
          ? 'Guides, parameters, errors and operations.'
          : found.length === 0
            ? `Nothing found for “${query}”.`
            : '';
    mark();
  };
  const mark = () => {
    for (const [at, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(at === selected));
    const item = list.children[selected];
    if (item) field.setAttribute('aria-activedescendant', item.id);
    else field.removeAttribute('aria-activedescendant');
    item?.scrollIntoView({ block: 'nearest' });
  };
  const open = async () => {
    if (dialog.open) return;
    dialog.showModal();
    field.select();
    show();
    if (entries !== undefined) return;
    try {
      const response = await fetch('/docs/search.json');
      if (!response.ok) throw new Error();
      entries = (await response.json()) as readonly Entry[];
      show();
    } catch {
      state.textContent = 'The search could not be loaded. Try again.';
    }
  };
  const follow = (item: Element | undefined) => {
    const { href } = (item as HTMLElement | undefined)?.dataset ?? {};
    if (!href) return;
    dialog.close();
    location.href = href;
  };

  opener.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const typing = (event.target as HTMLElement).closest?.('input, textarea, select') !== null;
    const slash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    const letter = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!slash && !letter) return;
    event.preventDefault();
    void open();
  });
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.children.length > 0) {
      event.preventDefault();
      selected = (selected + step + list.children.length) % list.children.length;
      mark();
    }
    if (event.key === 'Enter') follow(list.children[selected]);
    // In a field of this type the browser would clear it first.
    if (event.key === 'Escape') {
      event.preventDefault();
      dialog.close();
    }
  });
  list.addEventListener('click', (event) => follow((event.target as Element).closest('li') ?? undefined));
  // A click beside the dialog.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** Entries that have every word. A word in the heading counts more than one in the text, and a whole heading most. */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ entry }) => entry);
}

function scoreOf({ page, heading, text }: Entry, words: readonly string[]): number {
  const title = heading.toLowerCase();
  const all = `${page} ${text}`.toLowerCase();
  let score = title === words.join(' ') ? 50 : 0;
  for (const word of words) {
    if (title.startsWith(word)) score += 20;
    else if (title.includes(word)) score += 10;
    else if (all.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function resultItem({ page, heading, href, text }: Entry, at: number, query: string): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `result-${at}`;
  item.role = 'option';
  item.dataset.href = href;
  const title = document.createElement('strong');
  title.textContent = heading;
  const where = document.createElement('small');
  where.textContent = page === heading ? '' : page;
  const excerpt = document.createElement('p');
  excerpt.append(...excerptOf(text, query));
  item.append(title, where, excerpt);
  return item;
}

/** The text around the first word that was found. */
function excerptOf(text: string, query: string): (string | HTMLElement)[] {
  const [word = ''] = query.toLowerCase().split(/\s+/);
  const at = text.toLowerCase().indexOf(word);
  if (at < 0) return [text.slice(0, 160)];
  const from = Math.max(0, at - 50);
  const hit = document.createElement('mark');
  hit.textContent = text.slice(at, at + word.length);
  return [(from > 0 ? '… ' : '') + text.slice(from, at), hit, text.slice(at + word.length, at + 160)];
}
