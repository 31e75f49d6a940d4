// A short word that something was done. Read out politely, gone after a moment.
import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

let message: { id: number; text: string } | undefined;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

export function toast(text: string): void {
  message = { id: (message?.id ?? 0) + 1, text };
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function Toaster() {
  const current = useSyncExternalStore(subscribe, () => message);
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(() => {
      if (message !== current) return;
      message = undefined;
      tell();
    }, 3500);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-6 z-50 flex justify-center px-4">
      {current && (
        <p
          key={current.id}
          className="animate-pop pointer-events-auto flex items-center gap-2 rounded-lg bg-ink px-4 py-2.5 text-sm font-medium text-on-ink shadow-pop"
        >
          <Icon name="check" />
          {current.text}
        </p>
      )}
    </div>
  );
}
