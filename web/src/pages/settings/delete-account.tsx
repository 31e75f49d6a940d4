import { useState } from 'react';
import { api } from '../../api.ts';
import { leaveTo, useAccount } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog, TextField } from '../../ui/form.tsx';

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
  return (
    <FormDialog
      title="Delete your account"
      description="This cannot be undone. Every key stops working at once."
      action="Delete permanently"
      cancel="Keep my account"
      danger
      disabled={email !== account.email}
      onClose={onClose}
      onSend={async () => {
        await api.deleteAccount({ email, password });
        leaveTo('/');
      }}
    >
      {(error) => (
        <>
          <TextField
            label={`Type ${account.email} to confirm`}
            error={error?.of('email', 'E-mail')}
            autoComplete="off"
            value={email}
            onText={setEmail}
          />
          {account.hasPassword && (
            <TextField
              label="Password"
              error={error?.of('password', 'Password')}
              type="password"
              autoComplete="current-password"
              value={password}
              onText={setPassword}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
