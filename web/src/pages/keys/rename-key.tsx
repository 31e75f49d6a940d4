import { type FormEvent, useState } from 'react';
import { type ApiError, api, type KeyView } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';

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
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await api.renameKey(current.id, name);
      await onDone();
      onClose();
    } catch (reason) {
      setError(reason as ApiError);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Rename key" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name" error={error?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              value={name}
              maxLength={100}
              required
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
