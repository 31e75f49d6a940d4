// A menu in the browser's own top layer (Popover API): outside clicks and Escape close it, focus goes
// back to its button. What the browser does not do is here: the place, and the arrow keys.
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export type TriggerProps = {
  popoverTarget: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  ref: React.RefObject<HTMLButtonElement | null>;
};

const gap = 6;
const edge = 8;

export function Menu({
  label,
  trigger,
  children,
  side = 'bottom',
  align = 'end',
}: {
  label: string;
  trigger: (props: TriggerProps) => ReactNode;
  children: ReactNode;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  const place = () => {
    const at = button.current?.getBoundingClientRect();
    const box = list.current;
    if (!at || !box) return;
    const fitsBelow = at.bottom + gap + box.offsetHeight <= innerHeight - edge;
    const above = side === 'top' || !fitsBelow;
    const left = align === 'end' ? at.right - box.offsetWidth : at.left;
    box.style.top = `${Math.max(edge, above ? at.top - gap - box.offsetHeight : at.bottom + gap)}px`;
    box.style.left = `${Math.min(Math.max(edge, left), innerWidth - box.offsetWidth - edge)}px`;
  };

  // Before it is painted: its place, then the focus, which a hidden element would refuse.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens.
  useLayoutEffect(() => {
    if (!open) return;
    place();
    items()[0]?.focus();
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const here = all.indexOf(document.activeElement as HTMLElement);
    const starting = all.findIndex((item) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()));
    const next = {
      ArrowDown: (here + 1) % all.length,
      ArrowUp: (here - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    const target = next ?? (event.key.length === 1 && starting >= 0 ? starting : undefined);
    if (event.key === 'Tab') list.current?.hidePopover();
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  };

  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': open, ref: button })}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={onKeyDown}
        onToggle={(event) => setOpen(event.newState === 'open')}
        // Hidden until it has its place.
        className={`fixed m-0 min-w-44 rounded-lg bg-surface p-1 text-left text-sm text-ink shadow-pop ${open ? 'animate-pop' : 'invisible'}`}
      >
        {open && children}
      </div>
    </>
  );
}

/** Of a row in a table. */
export function ActionsMenu({ of: name, children }: { of: string; children: ReactNode }) {
  const label = `Actions for ${name}`;
  return (
    <Menu label={label} trigger={(props) => <IconButton icon="more" label={label} {...props} />}>
      {children}
    </Menu>
  );
}

export function MenuItem({
  icon,
  danger = false,
  onSelect,
  children,
}: {
  icon?: IconName;
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onSelect();
      }}
      onPointerMove={(event) => event.currentTarget.focus()}
      className={`flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left outline-none focus:bg-sunken ${danger ? 'text-danger' : ''}`}
    >
      {icon && <Icon name={icon} className={danger ? '' : 'text-ink-3'} />}
      {children}
    </button>
  );
}

export const MenuLine = () => <hr className="-mx-1 my-1" />;
export const MenuNote = ({ children }: { children: ReactNode }) => (
  <p role="presentation" className="px-2.5 py-1.5 text-xs text-ink-3">
    {children}
  </p>
);
