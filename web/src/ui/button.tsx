import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'sm' | 'md' | 'lg';

const looks: Record<Look, string> = {
  primary: 'bg-ink text-on-ink border-ink hover:bg-ink/88 disabled:bg-ink/40 disabled:border-transparent',
  secondary:
    'bg-surface text-ink border-line-strong shadow-card hover:border-ink-3 hover:bg-sunken disabled:text-ink-3 disabled:bg-sunken disabled:hover:border-line-strong',
  quiet: 'border-transparent text-ink-2 hover:bg-sunken hover:text-ink disabled:text-ink-3',
  danger: 'bg-danger text-on-ink border-danger hover:opacity-90 disabled:opacity-50',
};

const sizes: Record<Size, string> = {
  sm: 'h-7.5 px-2.5 text-sm gap-1.5',
  md: 'h-8.5 px-3.5 text-sm gap-2',
  lg: 'h-10.5 px-5 text-base gap-2',
};

const shape =
  'inline-flex select-none items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors duration-100';

type Shared = { look?: Look; size?: Size; icon?: IconName; children?: ReactNode };

export function Button({
  look = 'secondary',
  size = 'md',
  icon,
  busy = false,
  children,
  className = '',
  ...rest
}: Shared & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`${shape} ${looks[look]} ${sizes[size]} ${className}`}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

const newTab = { target: '_blank', rel: 'noreferrer' };

export function ButtonLink({
  look = 'secondary',
  size = 'md',
  icon,
  href,
  inNewTab = false,
  children,
  className = '',
}: Shared & { href: string; inNewTab?: boolean; className?: string }) {
  const classes = `${shape} ${looks[look]} ${sizes[size]} ${className}`;
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  // Files and the reference are not pages of this application.
  if (/^(https?:|data:|\/(api|v1|docs)\b)/.test(href))
    return (
      <a href={href} {...(inNewTab && newTab)} className={classes}>
        {content}
      </a>
    );
  return (
    <Link href={href} className={classes}>
      {content}
    </Link>
  );
}

export function IconButton({
  icon,
  label,
  className = '',
  ...rest
}: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-sunken hover:text-ink disabled:pointer-events-none disabled:opacity-40 ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}

function Spinner() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 animate-spin" fill="none" strokeWidth="2">
      <circle cx="8" cy="8" r="6" stroke="currentColor" opacity="0.25" />
      <path d="M8 2a6 6 0 0 1 6 6" stroke="currentColor" strokeLinecap="round" />
    </svg>
  );
}
