import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';
import { ScrollRegion } from './surface.tsx';

export function CopyButton({
  text,
  label = 'Copy',
  className = '',
}: {
  text: string;
  label?: string;
  className?: string;
}) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1800);
    return () => clearTimeout(timer);
  }, [state]);
  const shown = { idle: 'Copy', done: 'Copied', failed: 'Press Ctrl+C' }[state];
  return (
    <button
      type="button"
      aria-label={label}
      onClick={async () => setState((await copyText(text)) ? 'done' : 'failed')}
      className={`inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs font-medium text-ink-2 transition-colors hover:bg-line hover:text-ink ${className}`}
    >
      <Icon name={state === 'done' ? 'check' : 'copy'} className={`size-3.5 ${state === 'done' ? 'text-ok' : ''}`} />
      <span aria-live="polite" className="min-w-10 text-left">
        {shown}
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
