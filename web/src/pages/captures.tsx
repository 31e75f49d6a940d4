import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { api, type CaptureView } from '../api.ts';
import { bytes, plural } from '../format.ts';
import { Button, ButtonLink, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { PageHeader, Panel } from '../ui/surface.tsx';
import { Picture } from '../ui/thumbnail.tsx';
import { Ago } from '../ui/time.tsx';
import { toast } from '../ui/toast.tsx';
import { VerdictBadges, VerdictSelect, verdictFilterOf, withVerdict } from '../ui/verdict.tsx';

export function Page() {
  const client = useQueryClient();
  const [asking, setAsking] = useState<'all' | CaptureView>();
  const [search, setSearch] = useSearchParams();
  const verdict = verdictFilterOf(search);
  // A filter that was used stays, because it has the focus.
  const [hasChosen, setHasChosen] = useState(false);
  const captures = useInfiniteQuery({
    queryKey: ['captures', verdict],
    queryFn: ({ pageParam }) =>
      api.captures({ ...(pageParam !== undefined && { before: pageParam }), ...(verdict && { verdict }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const all = captures.data?.pages.flatMap((page) => page.captures) ?? [];
  const changed = () => client.invalidateQueries({ queryKey: ['captures'] });
  return (
    <>
      <PageHeader
        title="Captures"
        actions={
          (all.length > 0 || verdict || captures.isPending || hasChosen) && (
            <>
              <VerdictSelect
                value={verdict}
                onChange={(value) => {
                  setHasChosen(true);
                  setSearch((current) => withVerdict(current, value), { replace: true });
                }}
              />
              <Button icon="trash" onClick={() => setAsking('all')}>
                Delete all
              </Button>
            </>
          )
        }
      >
        The cached results of your account. Requests for them are served from the cache and do not count toward your
        plan.
      </PageHeader>
      {captures.error && all.length === 0 ? (
        <Panel>
          <Failed error={captures.error} retry={() => captures.refetch()} />
        </Panel>
      ) : captures.isPending ? (
        <Loading />
      ) : all.length === 0 ? (
        <Panel>{verdict ? <NothingMatches /> : <NothingYet />}</Panel>
      ) : (
        <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {all.map((capture) => (
            <Tile key={capture.id} capture={capture} onDelete={() => setAsking(capture)} />
          ))}
        </ul>
      )}
      {captures.hasNextPage && (
        <div className="mt-8 text-center">
          <Button busy={captures.isFetchingNextPage} onClick={() => captures.fetchNextPage()}>
            Show older captures
          </Button>
        </div>
      )}
      {asking === 'all' && <DeleteAll onClose={() => setAsking(undefined)} onDeleted={changed} />}
      {asking !== undefined && asking !== 'all' && (
        <DeleteOne capture={asking} onClose={() => setAsking(undefined)} onDeleted={changed} />
      )}
    </>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {[0, 1, 2, 3, 4, 5].map((slot) => (
        <div key={slot} className="skeleton h-64 rounded-lg opacity-50" />
      ))}
    </div>
  );
}

const NothingMatches = () => (
  <Empty icon="images" title="Nothing matches">
    No capture that is still cached has this verdict.
  </Empty>
);

const NothingYet = () => (
  <Empty
    icon="images"
    title="Nothing captured yet"
    action={
      <ButtonLink href="/playground" look="primary">
        Open the playground
      </ButtonLink>
    }
  >
    Every screenshot, PDF and card you request stays here until it expires.
  </Empty>
);

type Deletion = { readonly onClose: () => void; readonly onDeleted: () => Promise<void> };

function DeleteAll({ onClose, onDeleted }: Deletion) {
  return (
    <Confirm
      title="Delete every capture?"
      action="Delete all"
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteCaptures();
        await onDeleted();
        toast('All captures deleted');
      }}
    >
      <p>This deletes all cached results of your account. Links to them stop working until they are rendered again.</p>
    </Confirm>
  );
}

function DeleteOne({ capture, onClose, onDeleted }: Deletion & { readonly capture: CaptureView }) {
  return (
    <Confirm
      title="Delete this capture?"
      action="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteCapture(capture.id);
        await onDeleted();
        toast('Capture deleted');
      }}
    >
      <p className="break-words">
        This removes “{capture.title || capture.source}” from the cache. The next request renders it again.
      </p>
    </Confirm>
  );
}

function Tile({ capture, onDelete }: { capture: CaptureView; onDelete: () => void }) {
  const name = capture.title || capture.source || 'Untitled';
  return (
    <li className="group flex flex-col overflow-hidden rounded-lg border bg-surface shadow-card">
      <a
        href={api.picture(capture.id, capture.version)}
        target="_blank"
        rel="noreferrer"
        className="picture-ground block aspect-[16/10] overflow-hidden border-b outline-offset-[-2px]"
      >
        <span className="sr-only">Open {name}</span>
        <Picture
          src={capture.kind === 'content' ? undefined : api.thumbnail(capture.id, capture.version)}
          className={`size-full ${capture.kind === 'og' ? 'object-contain' : 'object-cover object-top'}`}
        >
          <span className="flex size-full flex-col items-center justify-center gap-2 text-xs font-medium text-ink-2">
            <Icon name="file" className="size-7" />
            {capture.kind === 'content' ? 'Text' : 'No preview'}
          </span>
        </Picture>
      </a>
      <div className="flex items-start gap-2 p-4 pr-2">
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium">{name}</p>
          <p className="truncate text-xs text-ink-2">{capture.kind === 'og' ? 'Open Graph card' : capture.source}</p>
          <p className="mt-1.5 truncate text-xs text-ink-3 tabular-nums">
            {capture.pages !== null
              ? `PDF, ${plural(capture.pages, 'page')} · `
              : capture.kind !== 'content' && `${capture.width} × ${capture.height} · `}
            {bytes(capture.size)} · <Ago at={capture.createdAt} />
          </p>
          {capture.verdict?.ok === false && (
            <p className="mt-2 flex flex-wrap gap-1">
              <VerdictBadges verdict={capture.verdict} />
            </p>
          )}
        </div>
        <IconButton icon="trash" label={`Delete ${name}`} onClick={onDelete} className="text-ink-3" />
      </div>
    </li>
  );
}
