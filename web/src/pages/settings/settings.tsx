import { type ReactNode, useId, useState } from 'react';
import { api } from '../../api.ts';
import { date } from '../../format.ts';
import { leaveTo, useAccount, useForget, useSession } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FormError, Input } from '../../ui/field.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHeader } from '../../ui/surface.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { setTheme, useTheme } from '../../ui/theme.ts';
import { toast } from '../../ui/toast.tsx';
import { PlansTable } from '../landing/plans-table.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Passkeys } from './passkeys.tsx';
import { TwoFactor } from './two-factor.tsx';

export function Page() {
  const account = useAccount();
  const { plans, passkeys } = useSession();
  const theme = useTheme();
  const plan = plans.find(({ name }) => name === account.plan);
  return (
    <>
      <PageHeader title="Settings" />
      <Section title="Profile" text={`Account created on ${date(account.createdAt)}.`}>
        <Profile />
      </Section>
      <Section title="Appearance" text="Saved in this browser.">
        <Segmented
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'light', label: <Choice icon="sun" text="Light" /> },
            { value: 'dark', label: <Choice icon="moon" text="Dark" /> },
            { value: 'system', label: <Choice icon="screen" text="System" /> },
          ]}
        />
      </Section>
      <Section title="Plan" text={`You are on ${plan?.label}. An administrator of this server can change it.`} wide>
        <PlansTable current={account.plan} />
      </Section>
      {account.hasPassword && (
        <Section title="Password" text="Changing it signs you out in all other browsers.">
          <Password />
        </Section>
      )}
      {account.hasPassword && (
        <Section title="Two-factor sign-in" text="A code of an app on your phone, beside your password.">
          <TwoFactor />
        </Section>
      )}
      {passkeys && (
        <Section title="Passkeys" text="Sign in with a fingerprint, a face or a security key, without a password.">
          <Passkeys />
        </Section>
      )}
      <Section title="Sessions" text="Use this if you signed in on a shared computer.">
        <Sessions />
      </Section>
      <Section title="Delete account" text="Deletes your keys, captures and usage at once. This cannot be undone.">
        <DeleteAccount />
      </Section>
    </>
  );
}

const Choice = ({ icon, text }: { icon: 'sun' | 'moon' | 'screen'; text: string }) => (
  <>
    <Icon name={icon} className="size-3.5" />
    {text}
  </>
);

function Section({
  title,
  text,
  children,
  wide = false,
}: {
  title: string;
  text: string;
  children: ReactNode;
  wide?: boolean;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`grid gap-x-12 gap-y-4 border-t py-8 ${wide ? '' : 'md:grid-cols-[17rem_minmax(0,26rem)]'}`}
    >
      <div>
        <h2 id={id} className="font-semibold tracking-[-0.01em]">
          {title}
        </h2>
        <p className="mt-1 text-sm text-pretty text-ink-2">{text}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

function Profile() {
  const account = useAccount();
  const forget = useForget();
  const [name, setName] = useState(account.name);
  return (
    <Form
      onSend={async () => {
        await api.rename(name);
        await forget();
        toast('Name saved');
      }}
      actions={(busy) => (
        <Button type="submit" busy={busy} disabled={name === account.name} className="self-start">
          Save
        </Button>
      )}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            error={error?.of('name', 'Name')}
            maxLength={100}
            autoComplete="name"
            value={name}
            onText={setName}
          />
          <Field label="E-mail">{(wiring) => <Input {...wiring} value={account.email} readOnly disabled />}</Field>
        </>
      )}
    </Form>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  return (
    <Form
      onSend={async () => {
        await api.changePassword({ current, password: next });
        setCurrent('');
        setNext('');
        toast('Password changed');
      }}
      actions={(busy) => (
        <Button type="submit" busy={busy} className="self-start">
          Change password
        </Button>
      )}
    >
      {(error) => (
        <>
          <TextField
            label="Current password"
            error={error?.of('current', 'Current password')}
            type="password"
            autoComplete="current-password"
            value={current}
            onText={setCurrent}
          />
          <TextField
            label="New password"
            hint="At least 12 characters."
            error={error?.of('password', 'New password')}
            type="password"
            autoComplete="new-password"
            value={next}
            onText={setNext}
          />
        </>
      )}
    </Form>
  );
}

function Sessions() {
  const { busy, error, run } = useAction();
  return (
    <div className="flex flex-col items-start gap-3">
      <FormError>{error?.message}</FormError>
      <Button
        icon="leave"
        busy={busy}
        onClick={() =>
          run(async () => {
            await api.signOutEverywhere();
            leaveTo('/sign-in');
          })
        }
      >
        Sign out everywhere
      </Button>
    </div>
  );
}
