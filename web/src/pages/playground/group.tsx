import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/surface.tsx';

/** Parameters that belong together. It opens when one of them is wrong. */
export function Group({
  title,
  count = 0,
  startOpen = false,
  faulty = false,
  children,
}: {
  title: string;
  count?: number;
  startOpen?: boolean;
  faulty?: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(startOpen || count > 0);
  useEffect(() => {
    if (faulty) setOpen(true);
  }, [faulty]);
  return (
    <details className="group border-t" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex h-11 list-none items-center gap-2 px-5 text-sm font-medium outline-offset-[-2px] hover:bg-sunken">
        {title}
        {count > 0 && <Badge>{count}</Badge>}
        <Icon name="right" className="ml-auto size-3.5 text-ink-3 transition-transform group-open:rotate-90" />
      </summary>
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 px-5 pt-2 pb-6">{children}</div>
    </details>
  );
}
