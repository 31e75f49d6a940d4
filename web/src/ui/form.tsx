// Forms that send what was typed, and show what is wrong with it.
import type { ComponentProps, FormEvent, ReactNode } from 'react';
import type { ApiError } from '../api.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Field, FormError, Input } from './field.tsx';

/** A label and an input in one line of a form. */
export function TextField({
  label,
  hint,
  error,
  onText,
  ...input
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  value: string;
  onText: (text: string) => void;
} & Omit<ComponentProps<'input'>, 'value' | 'onChange'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => <Input {...wiring} {...input} onChange={(event) => onText(event.target.value)} />}
    </Field>
  );
}

/** The error that is shown above the fields: one that belongs to none of them. */
const generalError = (error: ApiError | undefined) => (error && !error.parameter ? error.message : undefined);

type FormProps = {
  onSend: () => Promise<void>;
  children: (error: ApiError | undefined) => ReactNode;
  actions: (busy: boolean) => ReactNode;
};

export function Form(props: FormProps) {
  return <FormOf sending={useAction()} {...props} />;
}

function FormOf({ sending, onSend, children, actions }: FormProps & { sending: ReturnType<typeof useAction> }) {
  const { busy, error, run } = sending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(onSend);
  };
  // The server checks every field, so that all that are wrong are marked at once.
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FormError>{generalError(error)}</FormError>
      {children(error)}
      {actions(busy)}
    </form>
  );
}

export function FormDialog({
  action,
  cancel = 'Cancel',
  danger = false,
  disabled = false,
  onSend,
  children,
  ...dialog
}: {
  action: string;
  cancel?: string;
  danger?: boolean;
  disabled?: boolean;
  onSend: () => Promise<void>;
  children: (error: ApiError | undefined) => ReactNode;
} & Omit<ComponentProps<typeof Dialog>, 'children' | 'busy'>) {
  const sending = useAction();
  return (
    <Dialog {...dialog} busy={sending.busy}>
      <FormOf
        sending={sending}
        onSend={onSend}
        actions={(busy) => (
          <DialogActions>
            <Button disabled={busy} onClick={dialog.onClose}>
              {cancel}
            </Button>
            <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
              {action}
            </Button>
          </DialogActions>
        )}
      >
        {children}
      </FormOf>
    </Dialog>
  );
}
