import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { date } from '../../format.ts';
import { makePasskey } from '../../passkey.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

export function Passkeys() {
  const client = useQueryClient();
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: api.passkeys });
  const [name, setName] = useState('');
  const { busy, error, run } = useAction();
  const changed = () => client.invalidateQueries({ queryKey: ['passkeys'] });
  const add = () =>
    run(async () => {
      const { options } = await api.newPasskeyQuestion();
      await api.addPasskey(name.trim() || 'Passkey', await makePasskey(options));
      setName('');
      await changed();
      toast('Passkey added');
    });
  const remove = (id: string) =>
    run(async () => {
      await api.removePasskey(id);
      await changed();
      toast('Passkey removed');
    });
  return (
    <div className="flex flex-col items-start gap-3">
      <FormError>{(error ?? passkeys.error)?.message}</FormError>
      {passkeys.data && passkeys.data.passkeys.length > 0 && (
        <ul className="w-full divide-y rounded-md border">
          {passkeys.data.passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-3 px-3 py-2 text-sm">
              <span className="min-w-0 flex-1 truncate font-medium">{passkey.name}</span>
              <span className="text-ink-3">{date(passkey.createdAt)}</span>
              <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={() => remove(passkey.id)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TextField label="Name of the new passkey" maxLength={100} placeholder="Laptop" value={name} onText={setName} />
      <Button icon="key" busy={busy} onClick={add}>
        Add a passkey
      </Button>
    </div>
  );
}
