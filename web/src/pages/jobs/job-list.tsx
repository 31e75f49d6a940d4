import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type JobItemView, type JobsQuery, type JobsView } from '../../api.ts';
import { ago, dateTime, number } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { VerdictBadges } from '../../ui/verdict.tsx';
import { JobDetails } from './job-details.tsx';
import { resultOf } from './job-result.ts';
import { StatusBadge } from './job-status.tsx';
import { pollMs } from './polling.ts';

export function useJobs(filter: JobsQuery) {
  const { status, kind, batch } = filter;
  return useInfiniteQuery({
    queryKey: ['jobs', status, kind, batch],
    queryFn: ({ pageParam }) => api.jobs({ ...filter, after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => pollMs(waiting(state.data) > 0),
  });
}

export const hasNone = ({ data }: ReturnType<typeof useJobs>): boolean => data?.pages[0]?.jobs.length === 0;

export function JobList({ jobs, inBatch }: { jobs: ReturnType<typeof useJobs>; inBatch: boolean }) {
  const rows = jobs.data?.pages.flatMap((page) => page.jobs) ?? [];
  const load = inBatch ? undefined : jobs.data?.pages[0];
  return (
    <Panel>
      <PanelHeader
        title={inBatch ? 'Its jobs' : 'All jobs'}
        actions={
          load &&
          load.queued + load.running > 0 && (
            <p className="text-xs text-ink-2 tabular-nums">
              {number(load.running)} running · {number(load.queued)} queued
            </p>
          )
        }
      />
      {jobs.error && rows.length === 0 ? (
        <Failed error={jobs.error} retry={() => jobs.refetch()} />
      ) : jobs.isPending ? (
        <SkeletonRows rows={6} />
      ) : rows.length === 0 ? (
        <Empty icon="stack" title="Nothing matches">
          No job of the last 7 days has this status and kind.
        </Empty>
      ) : (
        <ul className="divide-y border-t">
          {rows.map((job) => (
            <Row key={job.id} job={job} inBatch={inBatch} />
          ))}
        </ul>
      )}
      {jobs.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button look="quiet" size="sm" busy={jobs.isFetchingNextPage} onClick={() => jobs.fetchNextPage()}>
            Show more jobs
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** Of the whole account: a list of those that are done grows too while others run. */
const waiting = (data: { readonly pages: readonly JobsView[] } | undefined): number => {
  const page = data?.pages[0];
  return page === undefined ? 0 : page.queued + page.running;
};

const labels = { screenshot: 'Screenshot', og: 'Open Graph', content: 'Text' } as const;

function Row({ job, inBatch }: { job: JobItemView; inBatch: boolean }) {
  const [open, setOpen] = useState(false);
  const result = resultOf(job);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-3 px-5 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-sunken"
      >
        <Icon name="right" className={`size-3 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} />
        <Thumbnail job={job} isPicture={result?.isPicture ?? false} />
        <span className="min-w-0 flex-1">
          <span className="block truncate">{job.subject}</span>
          <span className={`block truncate text-xs ${job.error ? 'text-danger' : 'text-ink-3'}`}>
            {job.error?.text ?? labels[job.kind] + (job.batchId && !inBatch ? ' · part of a batch' : '')}
          </span>
        </span>
        <span className="flex flex-wrap justify-end gap-1 max-sm:hidden">
          <VerdictBadges verdict={result?.verdict ?? null} />
        </span>
        <span className="flex justify-end sm:w-20">
          <StatusBadge status={job.status} />
        </span>
        <time
          dateTime={new Date(job.createdAt).toISOString()}
          title={dateTime(job.createdAt)}
          className="w-24 text-right text-xs text-ink-3 max-sm:hidden"
        >
          {ago(job.createdAt)}
        </time>
      </button>
      {open && <JobDetails job={job} />}
    </li>
  );
}

function Thumbnail({ job, isPicture }: { job: JobItemView; isPicture: boolean }) {
  const [gone, setGone] = useState(false);
  return (
    <span className="flex h-9 w-14 shrink-0 items-center justify-center overflow-hidden rounded-sm border bg-sunken text-ink-3 max-sm:hidden">
      {job.captureId && isPicture && !gone ? (
        <img
          src={api.thumbnail(job.captureId)}
          alt=""
          loading="lazy"
          className="size-full object-cover object-top"
          onError={() => setGone(true)}
        />
      ) : (
        <Icon name={job.status === 'failed' ? 'alert' : 'file'} />
      )}
    </span>
  );
}
