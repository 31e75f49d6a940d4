import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { api } from '../api.ts';
import { ButtonLink } from '../ui/button.tsx';
import { useTitle } from '../ui/title.ts';
import { Door, NewAccountForm, useForm } from './sign-in.tsx';

/** The first start's link: whoever opens it makes the administrator's account, once. */
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
  if (check.data?.open !== true)
    return (
      <Door title="This link is used up">
        <p className="text-center text-sm text-ink-2">
          {check.error?.message ??
            'A setup link works once, and only until an administrator exists. Restarting the server prints a new one if there is none.'}
        </p>
        <ButtonLink href="/sign-in" className="mt-6 w-full">
          Go to sign in
        </ButtonLink>
      </Door>
    );
  return (
    <Door title="Set up Tintype">
      <p className="-mt-4 mb-6 text-center text-sm text-balance text-ink-2">
        You are making the administrator’s account. It is on the Business plan, and this link ends with it.
      </p>
      <NewAccountForm form={form} action="Create administrator" />
    </Door>
  );
}
