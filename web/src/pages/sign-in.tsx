import { type ReactNode, useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { ApiError, api, type ProviderName } from '../api.ts';
import { useForget, useSession } from '../session.tsx';
import { Button } from '../ui/button.tsx';
import { Field, FormError, Input } from '../ui/field.tsx';
import { Logo } from '../ui/icon.tsx';
import { useTitle } from '../ui/title.ts';

/** Where to go after signing in: only to a path of this dashboard, so that a link cannot redirect elsewhere. */
function useNext(): string {
  const [search] = useSearchParams();
  const next = search.get('next') ?? '';
  return /^\/(?![/\\])/.test(next) ? next : '/keys';
}

/** Errors that GitHub or Google return in the query. */
const arrivals: Readonly<Record<string, string>> = {
  account_disabled: 'This account is disabled. Ask the administrator.',
  account_not_linked: 'An account with this address already exists. Sign in with its password.',
  signup_disabled: 'Sign-up is closed. Ask the administrator for an account.',
};

export function SignIn() {
  const { account, signUp } = useSession();
  const next = useNext();
  const [search] = useSearchParams();
  const error = search.get('error');
  const arrival = error === null ? undefined : (arrivals[error] ?? 'Sign-in failed. Please try again.');
  const form = useForm((fields) => api.signIn({ email: fields.email ?? '', password: fields.password ?? '' }), next);
  useTitle('Sign in');
  if (account) return <Redirect to={next} replace />;
  return (
    <FormPage title="Sign in to Tintype">
      <Providers next={next} />
      <form onSubmit={form.submit} className="flex flex-col gap-4">
        <FormError>{form.error?.parameter ? undefined : (form.error?.message ?? arrival)}</FormError>
        <EmailField error={form.errorOf('email')} />
        <PasswordField autoComplete="current-password" error={form.errorOf('password')} />
        <Button type="submit" look="primary" busy={form.busy}>
          Sign in
        </Button>
      </form>
      {signUp === 'open' && (
        <p className="mt-6 text-center text-sm text-ink-2">
          New here?{' '}
          <Link href="/sign-up" className="rounded-sm font-medium text-ink underline underline-offset-3">
            Create an account
          </Link>
        </p>
      )}
    </FormPage>
  );
}

export function SignUp() {
  const { account, signUp, setupOpen } = useSession();
  const next = useNext();
  const form = useForm(
    (fields) => api.signUp({ name: fields.name ?? '', email: fields.email ?? '', password: fields.password ?? '' }),
    next,
  );
  useTitle('Create an account');
  if (account) return <Redirect to={next} replace />;
  if (signUp === 'closed')
    return (
      <FormPage title="Sign-up is closed">
        <p className="text-center text-sm text-ink-2">
          On this server only an administrator can create accounts. If you have one,{' '}
          <Link href="/sign-in" className="font-medium text-ink underline underline-offset-3">
            sign in
          </Link>
          .
        </p>
      </FormPage>
    );
  return (
    <FormPage title="Create your account">
      {setupOpen && (
        <p className="mb-5 rounded-md bg-accent-soft px-3 py-2 text-sm text-accent">
          This server has no administrator yet. If it is yours, open the setup link from its log instead.
        </p>
      )}
      <Providers next={next} />
      <NewAccountForm form={form} action="Create account" />
      <p className="mt-6 text-center text-sm text-ink-2">
        Already have an account?{' '}
        <Link href="/sign-in" className="rounded-sm font-medium text-ink underline underline-offset-3">
          Sign in
        </Link>
      </p>
    </FormPage>
  );
}

export function NewAccountForm({ form, action }: { form: Form; action: string }) {
  return (
    <form onSubmit={form.submit} className="flex flex-col gap-4">
      <FormError>{form.error?.parameter ? undefined : form.error?.message}</FormError>
      <Field label="Name" error={form.errorOf('name')}>
        {(wiring) => <Input {...wiring} name="name" autoComplete="name" maxLength={100} />}
      </Field>
      <EmailField error={form.errorOf('email')} />
      <PasswordField
        autoComplete="new-password"
        hint="At least 12 characters. A sequence of words is easiest to remember."
        error={form.errorOf('password')}
      />
      <Button type="submit" look="primary" busy={form.busy}>
        {action}
      </Button>
    </form>
  );
}

const EmailField = ({ error }: { error: string | undefined }) => (
  <Field label="E-mail" error={error}>
    {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="username" required />}
  </Field>
);

const PasswordField = ({
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

const providerLabels: Record<ProviderName, string> = { github: 'GitHub', google: 'Google' };

function Providers({ next }: { next: string }) {
  const { providers } = useSession();
  const [error, setError] = useState<string>();
  if (providers.length === 0) return null;
  const start = async (provider: ProviderName) => {
    try {
      const { url } = await api.providerLink(provider, next);
      window.location.assign(url);
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  return (
    <div className="mb-5 flex flex-col gap-2">
      <FormError>{error}</FormError>
      {providers.map((provider) => (
        <Button key={provider} onClick={() => start(provider)}>
          Continue with {providerLabels[provider]}
        </Button>
      ))}
      <p className="mt-3 flex items-center gap-3 text-xs text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with a password
      </p>
    </div>
  );
}

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
  errorOf: (field: string) => string | undefined;
  submit: (event: React.FormEvent<HTMLFormElement>) => void;
};

/** A form that signs somebody in: sends its fields, shows errors, and continues to `next`. */
export function useForm(send: (fields: Record<string, string>) => Promise<void>, next: string): Form {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const forget = useForget();
  const [, go] = useLocation();
  return {
    busy,
    error,
    errorOf: (field) => (error?.parameter === field ? error.message : undefined),
    async submit(event) {
      event.preventDefault();
      const fields = Object.fromEntries(
        [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
      );
      setBusy(true);
      setError(undefined);
      try {
        await send(fields);
        await forget();
        go(next, { replace: true });
      } catch (reason) {
        setError(reason instanceof ApiError ? reason : new ApiError(0, { error: String(reason), code: 'unknown' }));
        setBusy(false);
      }
    },
  };
}
