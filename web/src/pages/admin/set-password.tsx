import { type FormEvent, useState } from 'react';
import { type AdminAccountView, api } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, FormError, Input } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';

export function SetPassword({ account, onClose }: { account: AdminAccountView; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await api.setPassword(account.id, password);
      onClose();
      toast(`${account.email} has a new password`);
    });
  };
  return (
    <Dialog
      title="Set a new password"
      description={`For ${account.email}. All its sessions end. Tell the owner to change it in Settings.`}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormError>{error && !error.parameter ? error.message : undefined}</FormError>
        <Field label="New password" hint="At least 12 characters." error={error?.of('password', 'New password')}>
          {(wiring) => (
            <Input
              {...wiring}
              type="text"
              autoComplete="off"
              spellCheck={false}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Set password
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
