// Light, dark, or the system's theme. public/theme.js applies the choice before the first paint.
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark' | 'system';

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function read(): Theme {
  try {
    const stored = localStorage.getItem('theme');
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

let choice = read();

function apply(): void {
  const dark = choice === 'dark' || (choice === 'system' && system.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}
system.addEventListener('change', apply);

export function setTheme(next: Theme): void {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem('theme');
    else localStorage.setItem('theme', next);
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
  }
  apply();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => choice);
