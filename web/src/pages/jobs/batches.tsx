import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiError, api, type BatchProgressView } from '../../api.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ShowMore } from '../../ui/rows.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { pollMs } from './polling.ts';

export const useBatches = () =>
  useInfiniteQuery({
    queryKey: ['batches'],
    queryFn: ({ pageParam }) => api.batches({ after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: ({ state }) => pollMs(state.data?.pages.some((page) => page.batches.some(isRunning)) ?? false),
  });

/** More would hide the list of jobs. */
const newest = 5;

/** Nothing is shown until there is a batch. */
export function Batches({ batches }: { batches: ReturnType<typeof useBatches> }) {
  const [isLong, setLong] = useState(false);
  const all = batches.data?.pages.flatMap((page) => page.batches) ?? [];
  const shown = isLong ? all : all.slice(0, newest);
  if (all.length === 0) return null;
  return (
    <Panel className="mb-4">
      <PanelHeader title="Batches" />
      <ul className="divide-y border-t">
        {shown.map((batch) => (
          <li key={batch.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
            <div className="min-w-0 flex-1 basis-40">
              <Link
                href={`/jobs?batch=${batch.id}`}
                className="block truncate rounded-sm font-mono text-xs font-medium underline-offset-2 hover:underline"
              >
                {batch.id}
              </Link>
              <Times batch={batch} />
            </div>
            <div className="flex-1 basis-60">
              <BatchProgress batch={batch} />
            </div>
            <div className="flex justify-end empty:max-sm:hidden sm:w-18">
              <CancelBatch batch={batch} />
            </div>
          </li>
        ))}
      </ul>
      {(batches.hasNextPage || shown.length < all.length) && (
        <ShowMore busy={batches.isFetchingNextPage} onClick={() => (isLong ? batches.fetchNextPage() : setLong(true))}>
          Show older batches
        </ShowMore>
      )}
    </Panel>
  );
}

/** The batch whose jobs are listed below it. */
export function OneBatch({ id }: { id: string }) {
  const batch = useQuery({
    queryKey: ['batches', id],
    queryFn: () => api.batch(id),
    refetchInterval: ({ state }) => pollMs(state.data !== undefined && isRunning(state.data)),
  });
  return (
    <Panel className="mb-4">
      <PanelHeader
        title="Batch"
        actions={
          <>
            {batch.data && <CancelBatch batch={batch.data} />}
            <ButtonLink size="sm" href="/jobs">
              All jobs
            </ButtonLink>
          </>
        }
      />
      {batch.error instanceof ApiError && batch.error.status === 404 ? (
        <Empty icon="stack" title="There is no such batch">
          Batches and their jobs are kept for 7 days.
        </Empty>
      ) : batch.error ? (
        <Failed error={batch.error} retry={() => batch.refetch()} />
      ) : batch.data === undefined ? (
        <SkeletonRows rows={1} />
      ) : (
        <div className="px-5 pb-5">
          <p className="mb-3 font-mono text-xs break-all">{id}</p>
          <BatchProgress batch={batch.data} />
          <Times batch={batch.data} />
        </div>
      )}
    </Panel>
  );
}

const isRunning = ({ counts }: BatchProgressView): boolean => counts.queued + counts.running > 0;

function Times({ batch: { createdAt, endedAt } }: { batch: BatchProgressView }) {
  return (
    <p className="mt-0.5 text-xs text-ink-3">
      <Ago at={createdAt} before="sent " />
      {endedAt !== null && (
        <>
          {', '}
          <Ago at={endedAt} before="ended " />
        </>
      )}
    </p>
  );
}

function CancelBatch({ batch: { id, counts } }: { batch: BatchProgressView }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <>
      {counts.queued > 0 && (
        <Button size="sm" aria-label={`Cancel ${id}`} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      )}
      {asking && (
        <Confirm
          title="Cancel this batch?"
          action="Cancel the batch"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.cancelBatch(id);
            await Promise.all(['batches', 'jobs'].map((key) => client.invalidateQueries({ queryKey: [key] })));
            toast('Batch canceled');
          }}
        >
          <p>Jobs that have not begun are canceled. Those that run or have ended stay as they are.</p>
        </Confirm>
      )}
    </>
  );
}
