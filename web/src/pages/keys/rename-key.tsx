import { useState } from 'react';
import { api, type KeyView } from '../../api.ts';
import { FormDialog, TextField } from '../../ui/form.tsx';

export function RenameKey({
  current,
  onClose,
  onDone,
}: {
  current: KeyView;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const [name, setName] = useState(current.name);
  return (
    <FormDialog
      title="Rename key"
      action="Save"
      onClose={onClose}
      onSend={async () => {
        await api.renameKey(current.id, name);
        await onDone();
        onClose();
      }}
    >
      {(error) => (
        <TextField label="Name" error={error?.of('name', 'Name')} maxLength={100} value={name} onText={setName} />
      )}
    </FormDialog>
  );
}
