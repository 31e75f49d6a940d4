// A list that is loaded page by page. Each row opens its details.
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Failed, SkeletonRows } from './states.tsx';
import { useSteps } from './steps.ts';
import { Ago } from './time.tsx';

type Query = Pick<
  UseInfiniteQueryResult<unknown>,
  'error' | 'isPending' | 'hasNextPage' | 'isFetchingNextPage' | 'refetch' | 'fetchNextPage'
>;

export function Rows<T>({
  query,
  rows,
  empty,
  more,
  children,
}: {
  query: Query;
  rows: readonly T[];
  /** In place of the rows, if there are none. */
  empty: ReactNode;
  /** What the button for the next page says. */
  more: string;
  children: (row: T) => ReactNode;
}) {
  const shown = useSteps(rows.length, 10);
  return (
    <>
      {query.error && rows.length === 0 ? (
        <Failed error={query.error} retry={() => query.refetch()} />
      ) : query.isPending ? (
        <SkeletonRows rows={6} />
      ) : rows.length === 0 ? (
        empty
      ) : (
        <ul className="divide-y border-t">{rows.slice(0, shown).map(children)}</ul>
      )}
      {query.hasNextPage && (
        <ShowMore busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {more}
        </ShowMore>
      )}
    </>
  );
}

/** Below a list. */
export function ShowMore({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: string }) {
  return (
    <div className="border-t p-3 text-center">
      <Button look="quiet" size="sm" busy={busy} onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}

export function Row({ at, details, children }: { at: number; details: () => ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-3 px-5 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-sunken"
      >
        <Icon name="right" className={`size-3 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} />
        {children}
        <Ago at={at} className="w-24 text-right text-xs text-ink-3 max-sm:hidden" />
      </button>
      {open && details()}
    </li>
  );
}

/** The main cell of a row. */
export function RowTitle({
  title,
  note,
  isError = false,
  children,
}: {
  title: string;
  note: string;
  isError?: boolean;
  children?: ReactNode;
}) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate">{title}</span>
      <span className={`block truncate text-xs ${isError ? 'text-danger' : 'text-ink-3'}`}>{note}</span>
      {children}
    </span>
  );
}
