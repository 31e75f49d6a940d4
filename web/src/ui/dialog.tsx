// Dialogs are native: focus stays inside, Escape closes, the page behind is inert, and no
// style is injected, so the content security policy needs no exception.
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { FormError } from './field.tsx';

/** What was focused before the first of several dialogs that follow each other. */
let opener: HTMLElement | undefined;

export function Dialog({
  title,
  description,
  onClose,
  children,
  wide = false,
  mustAnswer = false,
  busy = false,
}: {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Escape does not close it and it has no close button, because its content is shown only once. */
  mustAnswer?: boolean;
  /** It cannot be closed meanwhile, because the answer of the server would be lost. */
  busy?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    // The browser would focus the close button, which comes first.
    const first = (tags: string) => body.current?.querySelector<HTMLElement>(tags);
    (first('input, textarea, select') ?? first('button'))?.focus();
    return () => {
      dialog?.close();
      // The browser gives the focus back only to what it saw focused; a dialog that followed another saw that one.
      if (before instanceof HTMLElement && before !== document.body) opener = before;
      const last = opener;
      queueMicrotask(() => {
        if (document.querySelector('dialog[open]') !== null) return;
        // The row with the button may be gone.
        const target = last?.isConnected ? last : document.getElementById('content');
        target?.focus();
      });
    };
  }, []);
  const isHeldOpen = mustAnswer || busy;
  // A browser closes a dialog at the second Escape even if `cancel` is prevented, so the key itself is stopped. On the
  // window, because a button that becomes disabled loses the focus and its keys no longer reach the dialog. In a layout
  // effect: with a later one, Escape would still be stopped when the error is already shown.
  useLayoutEffect(() => {
    if (!isHeldOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isHeldOpen]);
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeldOpen) onClose();
      }}
      className={`animate-pop m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-y-auto rounded-lg bg-surface shadow-pop ${wide ? 'max-w-xl' : 'max-w-md'}`}
    >
      <div className="flex items-start justify-between gap-4 px-6 pt-5">
        <div>
          <h2 id={`${id}-title`} className="text-md font-semibold tracking-[-0.01em]">
            {title}
          </h2>
          {description && (
            <p id={`${id}-description`} className="mt-1 text-sm text-ink-2">
              {description}
            </p>
          )}
        </div>
        {!mustAnswer && (
          <IconButton icon="close" label="Close" disabled={busy} onClick={onClose} className="-mt-1 -mr-2" />
        )}
      </div>
      <div ref={body} className="px-6 pt-4 pb-6">
        {children}
      </div>
    </dialog>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>;
}

/** Asks before something that cannot be undone. */
export function Confirm({
  title,
  children,
  action,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ReactNode;
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      setError((reason as Error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <div className="flex flex-col gap-3 text-sm text-ink-2">{children}</div>
      {error && (
        <div className="mt-3">
          <FormError>{error}</FormError>
        </div>
      )}
      <DialogActions>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" busy={busy} onClick={confirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
