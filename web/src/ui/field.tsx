import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

type Wiring = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined };

/** A label, its control, and below it the hint or what is wrong with the value. */
export function Field({
  label,
  hint,
  error,
  aside,
  half = false,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  aside?: ReactNode;
  /** In a grid of two columns: takes one of them. */
  half?: boolean;
  children: (wiring: Wiring) => ReactNode;
}) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${half ? '' : 'col-span-full'}`}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <p id={`${id}-note`} role="alert" className="flex items-start gap-1.5 text-xs text-danger">
          <Icon name="alert" className="mt-px size-3.5" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-note`} className="text-xs text-ink-3">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export function Input({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={`input-base ${className}`} />;
}

export function Textarea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...rest} className={`input-base resize-y ${className}`} />;
}

export function Select({ className = '', children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={`relative inline-flex ${className}`}>
      <select {...rest} className="input-base appearance-none pr-8 text-ellipsis">
        {children}
      </select>
      <Icon
        name="down"
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}

export function Checkbox({ children, className = '', ...rest }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className={`inline-flex items-start gap-2 text-sm ${className}`}>
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-ink" />
      <span>{children}</span>
    </label>
  );
}

/** An error that belongs to the whole form. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger">
      <Icon name="alert" className="mt-0.5" />
      <span>{children}</span>
    </div>
  );
}
