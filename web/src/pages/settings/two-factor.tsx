import { generate } from 'lean-qr';
import { toSvgDataURL } from 'lean-qr/extras/svg';
import { useMemo, useState } from 'react';
import { api, type TwoFactorView } from '../../api.ts';
import { useAccount, useForget } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyLine } from '../../ui/copy.tsx';
import { FormDialog, TextField } from '../../ui/form.tsx';
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
  return (
    <FormDialog title={title} action={action} onClose={onClose} onSend={() => onPassword(password)}>
      {(error) => (
        <TextField
          label="Your password"
          error={error?.of('password', 'Your password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
        />
      )}
    </FormDialog>
  );
}

/** The secret as an app takes it: photographed, typed, or opened on a phone. */
function Confirm({ made, onClose }: { made: TwoFactorView; onClose: () => void }) {
  const [code, setCode] = useState('');
  const forget = useForget();
  const secret = new URL(made.uri).searchParams.get('secret') ?? '';
  // Black on white in both themes, because scanners expect it.
  const qrCode = useMemo(() => toSvgDataURL(generate(made.uri), { on: 'black', off: 'white' }), [made.uri]);
  return (
    <FormDialog
      title="Add Tintype to your authenticator app"
      action="Turn on"
      onClose={onClose}
      wide
      onSend={async () => {
        await api.confirmTwoFactor(code);
        onClose();
        await forget();
        toast('Two-factor sign-in is on');
      }}
    >
      {(error) => (
        <>
          <div className="flex flex-col gap-5 sm:flex-row">
            <img src={qrCode} alt="QR code of the key" className="size-44 shrink-0 self-start rounded-md border" />
            <div className="flex min-w-0 flex-1 flex-col gap-4">
              <div>
                <p className="mb-1.5 text-sm text-ink-2">
                  Scan the code with the app, enter this key in it, or{' '}
                  <a href={made.uri} className="font-medium text-ink underline underline-offset-3">
                    open it in an app on this device
                  </a>
                  .
                </p>
                <CopyLine text={secret} label="Copy the key" />
              </div>
              <TextField
                label="Code"
                hint="The six digits that the app shows for Tintype."
                error={error?.of('code', 'Code')}
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={7}
                value={code}
                onText={setCode}
              />
            </div>
          </div>
          <div>
            <p className="mb-1.5 text-sm text-ink-2">
              Keep these backup codes. Each works once in place of a code, if you lose the app.
            </p>
            <CodeBlock label="Backup codes" code={made.backupCodes.join('\n')} />
          </div>
        </>
      )}
    </FormDialog>
  );
}
