import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type JobItemView, type JobsQuery, type JobsView } from '../../api.ts';
import { number } from '../../format.ts';
import { Row, Rows, RowTitle } from '../../ui/rows.tsx';
import { Empty } from '../../ui/states.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
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
      <Rows
        query={jobs}
        rows={rows}
        more="Show more jobs"
        empty={
          <Empty icon="stack" title="Nothing matches">
            No job of the last 7 days has this status and kind.
          </Empty>
        }
      >
        {(job) => <JobRow key={job.id} job={job} inBatch={inBatch} />}
      </Rows>
    </Panel>
  );
}

/** Of the whole account: a list of those that are done grows too while others run. */
const waiting = (data: { readonly pages: readonly JobsView[] } | undefined): number => {
  const page = data?.pages[0];
  return page === undefined ? 0 : page.queued + page.running;
};

const labels = { screenshot: 'Screenshot', og: 'Open Graph', content: 'Text' } as const;

function JobRow({ job, inBatch }: { job: JobItemView; inBatch: boolean }) {
  const { captureId, subject, error, kind, batchId, status, createdAt } = job;
  return (
    <Row at={createdAt} details={() => <JobDetails job={job} />}>
      <Thumbnail captureId={captureId} kind={kind} otherwise={status === 'failed' ? 'alert' : 'file'} />
      <RowTitle
        title={subject}
        note={error?.text ?? labels[kind] + (batchId && !inBatch ? ' · part of a batch' : '')}
        isError={error !== null}
      />
      <span className="flex flex-wrap justify-end gap-1 max-sm:hidden">
        <VerdictBadges verdict={resultOf(job)?.verdict ?? null} />
      </span>
      <span className="flex justify-end sm:w-20">
        <StatusBadge status={status} />
      </span>
    </Row>
  );
}
