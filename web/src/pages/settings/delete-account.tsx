import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import { leaveTo, useAccount } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, FormError, Input } from '../../ui/field.tsx';

export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      {open && <Ask onClose={() => setOpen(false)} />}
    </>
  );
}

function Ask({ onClose }: { onClose: () => void }) {
  const account = useAccount();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await api.deleteAccount({ email, password });
      leaveTo('/');
    });
  };
  return (
    <Dialog
      title="Delete your account"
      description="This cannot be undone. Every key stops working at once."
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <FormError>{error && !error.parameter ? error.message : undefined}</FormError>
        <Field
          label={`Type ${account.email} to confirm`}
          error={error?.parameter === 'email' ? error.message : undefined}
        >
          {(wiring) => (
            <Input
              {...wiring}
              value={email}
              autoComplete="off"
              required
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        {account.hasPassword && (
          <Field label="Password" error={error?.parameter === 'password' ? error.message : undefined}>
            {(wiring) => (
              <Input
                {...wiring}
                type="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        )}
        <DialogActions>
          <Button onClick={onClose}>Keep my account</Button>
          <Button type="submit" look="danger" busy={busy} disabled={email !== account.email}>
            Delete permanently
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
