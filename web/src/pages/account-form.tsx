// The forms of visitors who are not signed in: what they look like, their fields, and what happens when they are sent.
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../api.ts';
import { useForget } from '../session.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, FormError, Input } from '../ui/field.tsx';
import { Logo } from '../ui/icon.tsx';

export function FormPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[14vh] pb-16">
      <div className="w-full max-w-88">
        <div className="mb-8 flex flex-col items-center gap-5">
          <Link href="/" aria-label="Tintype, home" className="rounded-md">
            <Logo className="size-8" />
          </Link>
          <h1 className="text-xl font-semibold tracking-[-0.02em]">{title}</h1>
        </div>
        {children}
      </div>
    </main>
  );
}

export type Form = {
  busy: boolean;
  error: ApiError | undefined;
  errorOf: (field: string, label: string) => string | undefined;
  submit: (event: React.FormEvent<HTMLFormElement>) => void;
};

/** A form that signs somebody in: sends its fields, shows errors, and continues to `next`, unless it should stay. */
export function useForm(send: (fields: Record<string, string>) => Promise<unknown>, next: string): Form {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const forget = useForget();
  const [, go] = useLocation();
  return {
    busy,
    error,
    errorOf: (field, label) => error?.of(field, label),
    async submit(event) {
      event.preventDefault();
      const fields = Object.fromEntries(
        [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
      );
      setBusy(true);
      setError(undefined);
      try {
        if ((await send(fields)) === 'stay') return setBusy(false);
        await forget();
        go(next, { replace: true });
      } catch (reason) {
        setError(reason instanceof ApiError ? reason : new ApiError(0, { error: String(reason), code: 'unknown' }));
        setBusy(false);
      }
    },
  };
}

/** A page that has nothing to fill in. */
export const NoticePage = ({ title, text, className = '' }: { title: string; text: string; className?: string }) => (
  <FormPage title={title}>
    <p className={`text-center text-sm text-ink-2 ${className}`}>{text}</p>
    <ButtonLink href="/sign-in" className="mt-6 w-full">
      Go to sign in
    </ButtonLink>
  </FormPage>
);

/** The server checks every field, so that all that are wrong are marked at once. */
export function NewAccountForm({ form, action, email }: { form: Form; action: string; email?: string | null }) {
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
      <FormError>{form.error?.parameter ? undefined : form.error?.message}</FormError>
      <Field label="Name" error={form.errorOf('name', 'Name')}>
        {(wiring) => <Input {...wiring} name="name" autoComplete="name" maxLength={100} />}
      </Field>
      <EmailField error={form.errorOf('email', 'E-mail')} fixed={email} />
      <PasswordField
        autoComplete="new-password"
        hint="At least 12 characters. A sequence of words is easiest to remember."
        error={form.errorOf('password', 'Password')}
      />
      <Button type="submit" look="primary" busy={form.busy}>
        {action}
      </Button>
    </form>
  );
}

export const EmailField = ({ error, fixed }: { error: string | undefined; fixed?: string | null | undefined }) => (
  <Field label="E-mail" error={error}>
    {(wiring) => (
      <Input
        {...wiring}
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={fixed ?? ''}
        readOnly={fixed != null}
      />
    )}
  </Field>
);

export const PasswordField = ({
  autoComplete,
  hint,
  error,
}: {
  autoComplete: string;
  hint?: string;
  error: string | undefined;
}) => (
  <Field label="Password" hint={hint} error={error}>
    {(wiring) => <Input {...wiring} name="password" type="password" autoComplete={autoComplete} required />}
  </Field>
);
