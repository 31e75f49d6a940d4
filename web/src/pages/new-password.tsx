import { useSearchParams } from 'wouter';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { useTitle } from '../ui/title.ts';
import { toast } from '../ui/toast.tsx';
import { FormPage, PasswordField, useForm } from './account-form.tsx';

/** The page behind the link of a mail. */
export function Page() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const form = useForm(async (fields) => {
    await api.newPassword({ token, password: fields.password ?? '' });
    toast('Password changed');
  }, '/sign-in');
  useTitle('New password');
  return (
    <FormPage title="Choose a new password">
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <FormError>{form.error?.parameter ? undefined : form.error?.message}</FormError>
        <PasswordField
          autoComplete="new-password"
          hint="At least 12 characters. A sequence of words is easiest to remember."
          error={form.errorOf('password', 'Password')}
        />
        <Button type="submit" look="primary" busy={form.busy}>
          Change password
        </Button>
      </form>
    </FormPage>
  );
}
