import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';

export function SendTest({ onClose, onSent }: { onClose: () => void; onSent: () => Promise<unknown> }) {
  const [url, setUrl] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await api.sendTestWebhook(url);
      await onSent();
      toast('Test sent');
      onClose();
    });
  };
  return (
    <Dialog
      title="Send a test"
      description="A signed webhook of the type test. It appears in the list of deliveries."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Field label="URL" error={error?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              type="url"
              value={url}
              maxLength={2048}
              placeholder="https://example.com/webhooks"
              required
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Send
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
