// A short message that something was done or has failed, gone after a moment. Failures are read out at once.
import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

let message: { id: number; text: string; isError: boolean } | undefined;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

function show(text: string, isError: boolean): void {
  message = { id: (message?.id ?? 0) + 1, text, isError };
  tell();
}

export const toast = (text: string): void => show(text, false);
export const toastError = (error: unknown): void => show((error as Error).message, true);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function Toaster() {
  const current = useSyncExternalStore(subscribe, () => message);
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(
      () => {
        if (message !== current) return;
        message = undefined;
        tell();
      },
      current.isError ? 7000 : 3500,
    );
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-6 z-50 flex justify-center px-4">
      <div role="status">{current?.isError === false && <Message key={current.id} {...current} />}</div>
      {current?.isError && (
        <div role="alert">
          <Message key={current.id} {...current} />
        </div>
      )}
    </div>
  );
}

const Message = ({ text, isError }: { text: string; isError: boolean }) => (
  <p
    className={`animate-pop pointer-events-auto flex items-center gap-2 rounded-lg px-4 py-2.5 text-sm font-medium text-on-ink shadow-pop ${isError ? 'bg-danger' : 'bg-ink'}`}
  >
    <Icon name={isError ? 'alert' : 'check'} />
    {text}
  </p>
);
