import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';

export function RegisterSite({ onClose, onRegistered }: { onClose: () => void; onRegistered: () => Promise<unknown> }) {
  const [origin, setOrigin] = useState('');
  const [, go] = useLocation();
  const { busy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const site = await api.registerSite(origin);
      await onRegistered();
      onClose();
      go(`/sites/${site.id}`);
    });
  };
  return (
    <Dialog
      title="Register a site"
      description="Next you prove that it is yours. Subdomains are sites of their own."
      onClose={onClose}
      busy={busy}
    >
      <form onSubmit={submit} noValidate>
        <Field label="Address" error={error && (error.of('origin', 'The address') ?? error.message)}>
          {(wiring) => (
            <Input
              {...wiring}
              inputMode="url"
              value={origin}
              maxLength={300}
              placeholder="https://example.com"
              autoComplete="off"
              spellCheck={false}
              required
              onChange={(event) => setOrigin(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            Register
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
