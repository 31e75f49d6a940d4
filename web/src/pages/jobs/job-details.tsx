import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type JobItemView } from '../../api.ts';
import { dateTime, ms, plural } from '../../format.ts';
import { readable } from '../../sent-page.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { FormError } from '../../ui/field.tsx';
import { ResultLink } from '../../ui/thumbnail.tsx';
import { toast } from '../../ui/toast.tsx';
import { VerdictDetails } from '../../ui/verdict.tsx';
import { type JobResult, resultOf } from './job-result.ts';

export function JobDetails({ job }: { job: JobItemView }) {
  const result = resultOf(job);
  return (
    <div className="grid gap-6 bg-sunken px-5 py-5 text-sm lg:grid-cols-[1fr_18rem] lg:pl-12">
      <div className="min-w-0">
        {job.error && (
          <div className="mb-5">
            <p className="break-words">{job.error.text}</p>
            <p className="mt-1">
              <code className="rounded-sm bg-danger-soft px-1.5 py-0.5 font-mono text-xs text-danger">
                {job.error.code}
              </code>
            </p>
          </div>
        )}
        <h3 className="mb-2 text-xs font-medium text-ink-2">Request</h3>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-xs">
          {Object.entries(job.parameters).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="break-words">{readable(value)}</dd>
            </div>
          ))}
        </dl>
        {result && <Result result={result} />}
        {job.metadata && <CodeBlock className="mt-5" label="Metadata" code={JSON.stringify(job.metadata, null, 2)} />}
      </div>
      <div className="flex flex-col gap-3">
        {job.captureId && <ResultLink captureId={job.captureId} kind={job.kind} />}
        <Facts job={job} />
        <Actions job={job} />
      </div>
    </div>
  );
}

function Result({ result: { verdict, warnings, facts } }: { result: JobResult }) {
  return (
    <>
      {facts.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 text-xs font-medium text-ink-2">Result</h3>
          <p className="wrap-anywhere text-ink-2">{facts.join(' · ')}</p>
        </>
      )}
      {verdict && (
        <>
          <h3 className="mt-5 mb-2 text-xs font-medium text-ink-2">Verdict</h3>
          <VerdictDetails verdict={verdict} />
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 text-xs font-medium text-ink-2">Warnings</h3>
          <ul className="list-disc pl-4 text-warn">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Facts({ job: { id, batchId, createdAt, startedAt, endedAt, attempts } }: { job: JobItemView }) {
  return (
    <p className="text-xs break-words text-ink-2">
      Job <span className="font-mono">{id}</span>
      <br />
      Sent {dateTime(createdAt)}
      {startedAt !== null && (
        <>
          <br />
          Begun after {ms(startedAt - createdAt)}
          {endedAt !== null && `, ended ${ms(endedAt - startedAt)} later`}
        </>
      )}
      {attempts > 1 && (
        <>
          <br />
          {plural(attempts, 'attempt')}
        </>
      )}
      {batchId && (
        <>
          <br />
          Part of{' '}
          <Link href={`/jobs?batch=${batchId}`} className="rounded-sm font-mono underline underline-offset-2">
            {batchId}
          </Link>
        </>
      )}
    </p>
  );
}

function Actions({ job: { id, status, canRunAgain } }: { job: JobItemView }) {
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const act = (work: () => Promise<unknown>, said: string) =>
    run(async () => {
      await work();
      await Promise.all(['jobs', 'batches'].map((key) => client.invalidateQueries({ queryKey: [key] })));
      toast(said);
    });
  return (
    <>
      {status === 'queued' && (
        <Button
          size="sm"
          icon="close"
          busy={busy}
          className="self-start"
          onClick={() => act(() => api.cancelJob(id), 'Job canceled')}
        >
          Cancel
        </Button>
      )}
      {canRunAgain && (
        <Button
          size="sm"
          icon="refresh"
          busy={busy}
          className="self-start"
          onClick={() => act(() => api.retryJob(id), 'Sent again as a new job')}
        >
          Run again
        </Button>
      )}
      {(status === 'failed' || status === 'canceled') && !canRunAgain && (
        <p className="text-xs text-ink-3">
          What was sent in its body was erased when it ended. Send the job again to run it again.
        </p>
      )}
      {error && <FormError>{error.message}</FormError>}
    </>
  );
}
