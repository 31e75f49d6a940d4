// Buttons that copy code, and the tabs of the languages. The language that was chosen is kept for other pages.
import { copyText } from '../ui/copy-text.ts';

export function enableCode(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) enableCopy(button);
  for (const list of document.querySelectorAll<HTMLElement>('[role="tablist"]')) enableTabs(list);
}

function enableCopy(button: HTMLButtonElement): void {
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    const block = button.closest('.code');
    const code = block?.querySelector('[role="tabpanel"]:not([hidden]) code') ?? block?.querySelector('code');
    button.textContent = (await copyText(code?.textContent ?? '')) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1800);
  });
}

const key = 'docs-language';

function enableTabs(list: HTMLElement): void {
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
  const select = (chosen: HTMLButtonElement) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = tab !== chosen;
    }
  };
  const choose = (tab: HTMLButtonElement) => {
    select(tab);
    try {
      localStorage.setItem(key, tab.dataset.language ?? '');
    } catch {
      // Storage can be forbidden.
    }
  };
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const here = tabs.findIndex((tab) => tab.tabIndex === 0);
    const next = step && tabs[(here + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });
  try {
    const kept = tabs.find((tab) => tab.dataset.language === localStorage.getItem(key));
    if (kept) select(kept);
  } catch {
    // Storage can be forbidden.
  }
}
