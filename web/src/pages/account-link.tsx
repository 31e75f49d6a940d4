import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { isRefused } from '../api.ts';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';
import { FormPage, NewAccountForm, NoticePage, useForm } from './account-form.tsx';

type NewAccount = { token: string; name: string; email: string; password: string };

type Props = {
  /** In the browser's tab. */
  tab: string;
  title: string;
  check: (token: string) => Promise<{ open: boolean; email?: string | null }>;
  send: (fields: NewAccount) => Promise<unknown>;
  /** What is shown where the link does not work. */
  closed: { title: string; text: string };
  form: { title: string; text: string; action: string };
};

/** The page behind a link that creates an account, once. */
export function AccountLinkPage({ tab, title, check, send, closed, form: texts }: Props) {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const link = useQuery({ queryKey: [tab, token], queryFn: () => check(token), staleTime: Infinity });
  const form = useForm(({ name = '', email = '', password = '' }) => send({ token, name, email, password }), '/keys');
  useTitle(tab);
  if (link.isPending) return null;
  if (link.error && !isRefused(link.error))
    return (
      <FormPage title={title}>
        <Failed error={link.error} retry={() => link.refetch()} />
      </FormPage>
    );
  if (link.data?.open !== true) return <NoticePage title={closed.title} text={link.error?.message ?? closed.text} />;
  return (
    <FormPage title={texts.title}>
      <p className="-mt-4 mb-6 text-center text-sm text-balance text-ink-2">{texts.text}</p>
      <NewAccountForm form={form} action={texts.action} email={link.data.email} />
    </FormPage>
  );
}
