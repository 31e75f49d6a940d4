import { useState } from 'react';
import { api } from '../api.ts';
import { useSession } from '../session.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { useTitle } from '../ui/title.ts';
import { EmailField, FormPage, NoticePage, useForm } from './account-form.tsx';

/** Sends a link by mail, or says whom to ask where this server sends none. */
export function Page() {
  const { lostPassword } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm(async (fields) => {
    await api.lostPassword(fields.email ?? '');
    setSentTo(fields.email);
    return 'stay';
  }, '/sign-in');
  useTitle('Lost password');
  if (!lostPassword.byMail || sentTo !== undefined)
    return (
      <NoticePage
        title={sentTo === undefined ? 'Lost your password?' : 'Look into your mail'}
        text={
          sentTo === undefined
            ? `Ask ${lostPassword.contact} for a new password.`
            : `If there is an account of ${sentTo} with a password, a link is on its way. It works for an hour. If none arrives, ask ${lostPassword.contact}.`
        }
        className="text-balance"
      />
    );
  return (
    <FormPage title="Lost your password?">
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <FormError>{form.error?.parameter ? undefined : form.error?.message}</FormError>
        <EmailField error={form.errorOf('email', 'E-mail')} />
        <Button type="submit" look="primary" busy={form.busy}>
          Send a link
        </Button>
      </form>
    </FormPage>
  );
}
