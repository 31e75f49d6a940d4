import { useState } from 'react';
import { type AdminAccountView, api } from '../../api.ts';
import { FormDialog, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

export function SetPassword({ account, onClose }: { account: AdminAccountView; onClose: () => void }) {
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title="Set a new password"
      description={`For ${account.email}. All its sessions end. Tell the owner to change it in Settings.`}
      action="Set password"
      onClose={onClose}
      onSend={async () => {
        await api.setPassword(account.id, password);
        onClose();
        toast(`${account.email} has a new password`);
      }}
    >
      {(error) => (
        <TextField
          label="New password"
          hint="At least 12 characters."
          error={error?.of('password', 'New password')}
          autoComplete="off"
          spellCheck={false}
          value={password}
          onText={setPassword}
        />
      )}
    </FormDialog>
  );
}
