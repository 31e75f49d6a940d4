// Where things stand: pages, panels, tables, badges.
import type { ComponentProps, ReactNode } from 'react';

export function PageHeader({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">{title}</h1>
        {children && <p className="mt-1 max-w-2xl text-base text-ink-2">{children}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

export function Panel({ children, className = '', ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} className={`rounded-lg border bg-surface shadow-card ${className}`}>
      {children}
    </section>
  );
}

export function PanelHeader({
  title,
  children,
  actions,
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3">
      <div>
        <h2 className="text-base font-semibold tracking-[-0.01em]">{title}</h2>
        {children && <p className="mt-0.5 text-sm text-ink-2">{children}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}

export const Th = ({ children, className = '', ...rest }: ComponentProps<'th'>) => (
  <th
    scope="col"
    {...rest}
    className={`h-9 border-b px-4 text-left text-xs font-medium whitespace-nowrap text-ink-3 first:pl-5 last:pr-5 ${className}`}
  >
    {children}
  </th>
);

export const Td = ({ children, className = '', ...rest }: ComponentProps<'td'>) => (
  <td {...rest} className={`h-13 px-4 text-sm first:pl-5 last:pr-5 ${className}`}>
    {children}
  </td>
);

/** A table that becomes a list of blocks on a small screen, where its rows say what each cell is. */
export function StackingTable({ columns, children }: { columns: readonly Column[]; children: ReactNode }) {
  return (
    <table className="block w-full md:table">
      <thead className="hidden md:table-header-group">
        <tr>
          {columns.map(({ title, isNumber, isHidden, isWide }) => (
            <Th key={title} className={`${isNumber ? 'text-right' : ''} ${isWide ? 'hidden lg:table-cell' : ''}`}>
              {isHidden ? <span className="sr-only">{title}</span> : title}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y md:table-row-group">{children}</tbody>
    </table>
  );
}

type Column = {
  readonly title: string;
  readonly isNumber?: true;
  readonly isHidden?: true;
  /** Only where there is room for it. */
  readonly isWide?: true;
};

type Tone = 'neutral' | 'ok' | 'warn' | 'danger' | 'accent';
const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-2',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  accent: 'bg-accent-soft text-accent',
};

export function Badge({
  tone = 'neutral',
  children,
  className = '',
}: {
  tone?: Tone;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap ${tones[tone]} ${className}`}
    >
      {children}
    </span>
  );
}

/** How much of something is used. */
export function Meter({ value, max, label }: { value: number; max: number; label: string }) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full transition-[width] ${share >= 1 ? 'bg-danger' : share > 0.8 ? 'bg-warn' : 'bg-ink'}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}

/** Wide content scrolls inside its own region, which the keyboard can reach. */
export function ScrollRegion({
  label,
  className = '',
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  const keyboard = { tabIndex: 0 };
  return (
    <div role="region" aria-label={label} className={`relative overflow-auto ${className}`} {...keyboard}>
      {children}
    </div>
  );
}
