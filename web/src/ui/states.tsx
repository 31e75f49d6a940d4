// What a page shows while data is loading, missing or could not be loaded.
import type { ReactNode } from 'react';
import type { ApiError } from '../api.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <span className="flex size-10 items-center justify-center rounded-lg border bg-surface text-ink-2 shadow-card">
        <Icon name={icon} />
      </span>
      <h2 className="mt-4 text-base font-semibold">{title}</h2>
      <p className="mt-1 max-w-sm text-sm text-balance text-ink-2">{children}</p>
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  const id = (error as ApiError).requestId;
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-16 text-center">
      <span className="flex size-10 items-center justify-center rounded-lg bg-danger-soft text-danger">
        <Icon name="alert" />
      </span>
      <h2 className="mt-4 text-base font-semibold">This could not be loaded</h2>
      <p className="mt-1 max-w-sm text-sm text-ink-2">{error.message}</p>
      {id && <p className="mt-1 font-mono text-xs text-ink-3">Request {id}</p>}
      <Button className="mt-5" icon="refresh" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <div key={row} className="flex h-13 items-center gap-6 px-4">
          <span className="skeleton h-3 w-1/4" />
          <span className="skeleton h-3 w-1/3" />
          <span className="skeleton ml-auto h-3 w-16" />
        </div>
      ))}
    </div>
  );
}
