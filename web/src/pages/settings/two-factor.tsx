import { type FormEvent, useState } from 'react';
import { api, type TwoFactorView } from '../../api.ts';
import { useAccount, useForget } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyLine } from '../../ui/copy.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, FormError, Input } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';

export function TwoFactor() {
  const { twoFactor } = useAccount();
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-ink-2">{twoFactor ? 'A code is asked for after your password.' : 'Off.'}</p>
      <Button onClick={() => setOpen(true)}>{twoFactor ? 'Turn off' : 'Turn on'}</Button>
      {open && (twoFactor ? <TurnOff onClose={() => setOpen(false)} /> : <TurnOn onClose={() => setOpen(false)} />)}
    </div>
  );
}

function TurnOn({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<TwoFactorView>();
  if (made) return <Confirm made={made} onClose={onClose} />;
  return (
    <AskPassword
      title="Turn on two-factor sign-in"
      action="Continue"
      onClose={onClose}
      onPassword={async (password) => setMade(await api.beginTwoFactor(password))}
    />
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const forget = useForget();
  return (
    <AskPassword
      title="Turn off two-factor sign-in?"
      action="Turn off"
      onClose={onClose}
      onPassword={async (password) => {
        await api.removeTwoFactor(password);
        onClose();
        await forget();
        toast('Two-factor sign-in is off');
      }}
    />
  );
}

function AskPassword({
  title,
  action,
  onClose,
  onPassword,
}: {
  title: string;
  action: string;
  onClose: () => void;
  onPassword: (password: string) => Promise<void>;
}) {
  const [password, setPassword] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(() => onPassword(password));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <FormError>{error && !error.parameter ? error.message : undefined}</FormError>
        <Field label="Your password" error={error?.of('password', 'Your password')}>
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
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The secret as an app takes it: typed, or opened on a phone. */
function Confirm({ made, onClose }: { made: TwoFactorView; onClose: () => void }) {
  const [code, setCode] = useState('');
  const forget = useForget();
  const { busy, error, run } = useAction();
  const secret = new URL(made.uri).searchParams.get('secret') ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await api.confirmTwoFactor(code);
      onClose();
      await forget();
      toast('Two-factor sign-in is on');
    });
  };
  return (
    <Dialog title="Add Tintype to your authenticator app" onClose={onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <FormError>{error && !error.parameter ? error.message : undefined}</FormError>
        <Field label="Code" hint="The six digits that the app shows for Tintype." error={error?.of('code', 'Code')}>
          {(wiring) => (
            <Input
              {...wiring}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={6}
              required
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
        <div>
          <p className="mb-1.5 text-sm text-ink-2">
            Enter this key in the app, or{' '}
            <a href={made.uri} className="font-medium text-ink underline underline-offset-3">
              open it in an app on this device
            </a>
            .
          </p>
          <CopyLine text={secret} label="Copy the key" />
        </div>
        <div>
          <p className="mb-1.5 text-sm text-ink-2">
            Keep these backup codes. Each works once in place of a code, if you lose the app.
          </p>
          <CodeBlock label="Backup codes" code={made.backupCodes.join('\n')} />
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Turn on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
