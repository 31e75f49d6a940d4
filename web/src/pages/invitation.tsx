import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { api, isRefused } from '../api.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';
import { FormPage, NewAccountForm, useForm } from './sign-in.tsx';

/** The page behind an administrator's invitation. It creates an account. */
export function Page() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const check = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.invitation(token),
    staleTime: Infinity,
  });
  const form = useForm(
    (fields) =>
      api.acceptInvitation({
        token,
        name: fields.name ?? '',
        email: fields.email ?? '',
        password: fields.password ?? '',
      }),
    '/keys',
  );
  useTitle('Invitation');
  if (check.isPending) return null;
  if (check.error && !isRefused(check.error))
    return (
      <FormPage title="Invitation">
        <Failed error={check.error} retry={() => check.refetch()} />
      </FormPage>
    );
  if (check.data?.open !== true)
    return (
      <FormPage title="This invitation is no longer valid">
        <p className="text-center text-sm text-ink-2">
          {check.error?.message ?? 'It was used or withdrawn, or has expired. Ask the administrator for a new one.'}
        </p>
        <ButtonLink href="/sign-in" className="mt-6 w-full">
          Go to sign in
        </ButtonLink>
      </FormPage>
    );
  return (
    <FormPage title="Create your account">
      <p className="-mt-4 mb-6 text-center text-sm text-balance text-ink-2">You were invited. The link works once.</p>
      <NewAccountForm form={form} action="Create account" email={check.data.email} />
    </FormPage>
  );
}
