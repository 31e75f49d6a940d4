import { useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { api, type ProviderName } from '../api.ts';
import { askPasskey } from '../passkey.ts';
import { useForget, useSession } from '../session.tsx';
import { Button } from '../ui/button.tsx';
import { Field, FormError, Input } from '../ui/field.tsx';
import { useTitle } from '../ui/title.ts';
import { EmailField, FormPage, NewAccountForm, PasswordField, useForm } from './account-form.tsx';

/** Where to go after signing in: only to a path of this dashboard, so that a link cannot redirect elsewhere. */
function useNext(): string {
  const [search] = useSearchParams();
  const next = search.get('next') ?? '';
  return /^\/(?![/\\])/.test(next) ? next : '/keys';
}

/** A link between the two forms keeps where to go. */
const withNext = (path: string, next: string): string =>
  next === '/keys' ? path : `${path}?next=${encodeURIComponent(next)}`;

/** Errors that a provider's redirect has in its query. */
const arrivals: Readonly<Record<string, string>> = {
  account_disabled: 'This account is disabled. Ask the administrator.',
  account_not_linked: 'An account with this address already exists. Sign in to it as before.',
  provider_unavailable: 'The sign-in provider does not answer. Try again shortly, or sign in another way.',
  unable_to_get_user_info: 'The sign-in provider did not confirm who you are, or your e-mail address.',
  issuer_mismatch: 'The answer came from another sign-in provider than expected.',
  signup_disabled: 'Sign-up is closed. Ask the administrator for an account.',
};

export function SignIn() {
  const { account, signUp } = useSession();
  const next = useNext();
  const [search] = useSearchParams();
  const error = search.get('error');
  const arrival = error === null ? undefined : (arrivals[error] ?? 'Sign-in failed. Please try again.');
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm(async (fields) => {
    const answer = await api.signIn({ email: fields.email ?? '', password: fields.password ?? '' });
    setNeedsCode(answer.needsCode);
    return answer.needsCode ? 'stay' : undefined;
  }, next);
  useTitle('Sign in');
  if (account) return <Redirect to={next} replace />;
  if (needsCode) return <CodeForm next={next} onAgain={() => setNeedsCode(false)} />;
  return (
    <FormPage title="Sign in to Tintype">
      <Providers next={next} />
      <form onSubmit={form.submit} className="flex flex-col gap-4">
        <FormError>{form.error?.parameter ? undefined : (form.error?.message ?? arrival)}</FormError>
        <EmailField error={form.errorOf('email', 'E-mail')} />
        <PasswordField autoComplete="current-password" error={form.errorOf('password', 'Password')} />
        <Button type="submit" look="primary" busy={form.busy}>
          Sign in
        </Button>
        <Link href="/lost-password" className="self-center rounded-sm text-sm text-ink-2 underline underline-offset-3">
          Lost your password?
        </Link>
      </form>
      {signUp === 'open' && (
        <p className="mt-6 text-center text-sm text-ink-2">
          New here?{' '}
          <Link
            href={withNext('/sign-up', next)}
            className="rounded-sm font-medium text-ink underline underline-offset-3"
          >
            Create an account
          </Link>
        </p>
      )}
    </FormPage>
  );
}

/** The second step of a sign-in with a password. */
function CodeForm({ next, onAgain }: { next: string; onAgain: () => void }) {
  const form = useForm((fields) => api.signInWithCode(fields.code ?? ''), next);
  return (
    <FormPage title="Enter your code">
      <form onSubmit={form.submit} className="flex flex-col gap-4">
        <FormError>{form.error?.parameter ? undefined : form.error?.message}</FormError>
        <Field
          label="Code"
          hint="The six digits of your authenticator app, or one of your backup codes."
          error={form.errorOf('code', 'Code')}
        >
          {(wiring) => (
            <Input
              {...wiring}
              name="code"
              autoComplete="one-time-code"
              inputMode="text"
              maxLength={40}
              required
              autoFocus
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={form.busy}>
          Sign in
        </Button>
        <Button look="quiet" onClick={onAgain}>
          Start again
        </Button>
      </form>
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
          <Link href={withNext('/sign-in', next)} className="font-medium text-ink underline underline-offset-3">
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
        <Link
          href={withNext('/sign-in', next)}
          className="rounded-sm font-medium text-ink underline underline-offset-3"
        >
          Sign in
        </Link>
      </p>
    </FormPage>
  );
}

function Providers({ next }: { next: string }) {
  const { providers, oidcName, passkeys } = useSession();
  const labels: Record<ProviderName, string> = { github: 'GitHub', google: 'Google', oidc: oidcName };
  const [error, setError] = useState<string>();
  const forget = useForget();
  const [, go] = useLocation();
  const withPasskey = async () => {
    try {
      await api.signInWithPasskey(await askPasskey((await api.passkeyQuestion()).options));
      await forget();
      go(next, { replace: true });
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  if (providers.length === 0 && !passkeys) return null;
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
          Continue with {labels[provider]}
        </Button>
      ))}
      {passkeys && (
        <Button icon="key" onClick={withPasskey}>
          Sign in with a passkey
        </Button>
      )}
      <p className="mt-3 flex items-center gap-3 text-xs text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with a password
      </p>
    </div>
  );
}
