import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';
import { ScrollRegion } from './surface.tsx';

/** What a press of a copy button led to, for a moment. */
function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1800);
    return () => clearTimeout(timer);
  }, [state]);
  return { state, copy: async () => setState((await copyText(text)) ? 'done' : 'failed') };
}

export function CopyButton({
  text,
  label = 'Copy',
  disabled = false,
  className = '',
}: {
  text: string;
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  const { state, copy } = useCopy(text);
  const shown = { idle: 'Copy', done: 'Copied', failed: 'Press Ctrl+C' }[state];
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={copy}
      className={`inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs font-medium text-ink-2 transition-colors hover:bg-line hover:text-ink disabled:pointer-events-none disabled:opacity-40 ${className}`}
    >
      <Icon name={state === 'done' ? 'check' : 'copy'} className={`size-3.5 ${state === 'done' ? 'text-ok' : ''}`} />
      <span aria-live="polite" className="min-w-10 text-left">
        {shown}
      </span>
    </button>
  );
}

/** A short value that is its own copy button, for tables. */
export function CopyValue({ text, label }: { text: string; label: string }) {
  const { state, copy } = useCopy(text);
  return (
    <button
      type="button"
      aria-label={`${label}: ${text}`}
      title={label}
      onClick={copy}
      className="-mx-1 inline-flex h-6 max-w-full items-center gap-1 rounded-sm px-1 text-xs text-ink-3 transition-colors hover:bg-line hover:text-ink"
    >
      <code className="truncate font-mono">{text}</code>
      <Icon
        name={state === 'done' ? 'check' : 'copy'}
        className={`size-3 shrink-0 ${state === 'done' ? 'text-ok' : ''}`}
      />
      <span aria-live="polite" className="sr-only">
        {{ idle: '', done: 'Copied', failed: 'Press Ctrl+C' }[state]}
      </span>
    </button>
  );
}

/** A value on one line with a copy button. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-1 rounded-md border bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs leading-6 break-all">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CodeBlock({ code, label, className = '' }: { code: string; label: string; className?: string }) {
  return (
    <figure className={`overflow-hidden rounded-lg border bg-sunken ${className}`}>
      <figcaption className="flex h-9 items-center justify-between border-b pr-1 pl-4 text-xs text-ink-2">
        {label}
        <CopyButton text={code} label={`Copy ${label}`} />
      </figcaption>
      <ScrollRegion label={`Code: ${label}`}>
        <pre className="p-4 font-mono text-xs leading-5">
          <code>{code}</code>
        </pre>
      </ScrollRegion>
    </figure>
  );
}
