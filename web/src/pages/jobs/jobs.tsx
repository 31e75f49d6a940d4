import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { api, type EndpointName, type JobStatus } from '../../api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/surface.tsx';
import { Batches, OneBatch, useBatches } from './batches.tsx';
import { FirstJob } from './first-job.tsx';
import { hasNone, JobList, useJobs } from './job-list.tsx';
import { statuses } from './job-status.tsx';

const kinds: Readonly<Record<EndpointName, string>> = { screenshot: 'Screenshots', og: 'Open Graph', content: 'Text' };

const oneOf = <T extends string>(options: Readonly<Record<T, unknown>>, value: string | null): T | undefined =>
  value !== null && Object.hasOwn(options, value) ? (value as T) : undefined;

export function Page() {
  const [search, setSearch] = useSearchParams();
  const status = oneOf<JobStatus>(statuses, search.get('status'));
  const kind = oneOf<EndpointName>(kinds, search.get('kind'));
  const batch = search.get('batch') ?? undefined;
  const batches = useBatches();
  const filter = { status, kind, batch };
  const jobs = useJobs(filter);
  // The placeholder is the answer to another filter.
  const hasNothing = status === undefined && kind === undefined && !jobs.isPlaceholderData && hasNone(jobs);
  const isEmpty = hasNothing && batch === undefined;
  // A filter that was used stays, because it has the focus.
  const [hasChosen, setHasChosen] = useState(false);
  const set = (name: string, value: string) => {
    setHasChosen(true);
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  return (
    <>
      <PageHeader
        title="Jobs"
        actions={
          (!isEmpty || hasChosen) && (
            <>
              <Select
                aria-label="Status"
                className="w-36"
                value={status ?? ''}
                onChange={(event) => set('status', event.target.value)}
              >
                <option value="">All statuses</option>
                {Object.entries(statuses).map(([value, { label }]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
              <Select
                aria-label="Kind"
                className="w-36"
                value={kind ?? ''}
                onChange={(event) => set('kind', event.target.value)}
              >
                <option value="">All kinds</option>
                {Object.entries(kinds).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
              <ButtonLink icon="download" href={api.jobsCsv(filter)}>
                CSV
              </ButtonLink>
            </>
          )
        }
      >
        Work that runs while nobody waits for it. Jobs and their results are kept for 7 days.
      </PageHeader>
      {batch === undefined ? <Batches batches={batches} /> : <OneBatch id={batch} />}
      {/* Hidden until the panel above has its size, so that it does not jump. */}
      <div hidden={batches.isPending}>
        {isEmpty ? <FirstJob /> : !hasNothing && <JobList jobs={jobs} inBatch={batch !== undefined} />}
      </div>
    </>
  );
}
