import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { api, isRefused } from '../api.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';
import { FormPage, NewAccountForm, useForm } from './sign-in.tsx';

/** The page behind the setup link of the first start. It creates the administrator's account. */
export function Page() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const check = useQuery({ queryKey: ['setup', token], queryFn: () => api.setupOpen(token), staleTime: Infinity });
  const form = useForm(
    (fields) =>
      api.setup({ token, name: fields.name ?? '', email: fields.email ?? '', password: fields.password ?? '' }),
    '/keys',
  );
  useTitle('Set up');
  if (check.isPending) return null;
  if (check.error && !isRefused(check.error))
    return (
      <FormPage title="Set up Tintype">
        <Failed error={check.error} retry={() => check.refetch()} />
      </FormPage>
    );
  if (check.data?.open !== true)
    return (
      <FormPage title="This link is no longer valid">
        <p className="text-center text-sm text-ink-2">
          {check.error?.message ??
            'A setup link works once, until an administrator exists. If there is none, restart the server to get a new link.'}
        </p>
        <ButtonLink href="/sign-in" className="mt-6 w-full">
          Go to sign in
        </ButtonLink>
      </FormPage>
    );
  return (
    <FormPage title="Set up Tintype">
      <p className="-mt-4 mb-6 text-center text-sm text-balance text-ink-2">
        This creates the administrator’s account, on the Business plan. The link works once.
      </p>
      <NewAccountForm form={form} action="Create administrator" />
    </FormPage>
  );
}
