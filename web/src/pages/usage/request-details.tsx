import type { RequestView } from '../../api.ts';
import { dateTime } from '../../format.ts';
import { readable, sentPage, withoutSentPage } from '../../sent-page.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Phases } from '../../ui/phases.tsx';
import { ResultLink } from '../../ui/thumbnail.tsx';
import { VerdictDetails } from '../../ui/verdict.tsx';

export function RequestDetails({ request }: { request: RequestView }) {
  const parameters = Object.entries(request.parameters);
  const forForm = { endpoint: request.endpoint, ...withoutSentPage(request.parameters) };
  const playground = `/playground?${new URLSearchParams(forForm)}`;
  return (
    <div className="grid gap-6 bg-sunken px-5 py-5 text-sm lg:grid-cols-[1fr_18rem] lg:pl-12">
      <div className="min-w-0">
        {request.code && (
          <p className="mb-4">
            <code className="rounded-sm bg-danger-soft px-1.5 py-0.5 font-mono text-xs text-danger">
              {request.status} {request.code}
            </code>
          </p>
        )}
        <h3 className="mb-2 text-xs font-medium text-ink-2">Parameters</h3>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-xs">
          {parameters.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="break-words" title={value}>
                {readable(value)}
              </dd>
            </div>
          ))}
          {parameters.length === 0 && <dd className="col-span-2 text-ink-2">none</dd>}
        </dl>
        {Object.keys(request.phases).length > 0 && (
          <>
            <h3 className="mt-5 mb-2 text-xs font-medium text-ink-2">Where the time went</h3>
            <Phases phases={request.phases} />
          </>
        )}
        {request.verdict && (
          <>
            <h3 className="mt-5 mb-2 text-xs font-medium text-ink-2">Verdict</h3>
            <VerdictDetails verdict={request.verdict} />
          </>
        )}
        {request.warnings.length > 0 && (
          <>
            <h3 className="mt-5 mb-2 text-xs font-medium text-ink-2">Warnings</h3>
            <ul className="list-disc pl-4 text-warn">
              {request.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="flex flex-col gap-3">
        {request.captureId && <ResultLink captureId={request.captureId} kind={request.endpoint} />}
        <p className="text-xs text-ink-2">
          {dateTime(request.at)}
          <br />
          Request <span className="font-mono">{request.id}</span>
        </p>
        <ButtonLink size="sm" icon="sliders" href={playground} className="self-start">
          Open in playground
        </ButtonLink>
        {sentPage(request.parameters) && (
          <p className="text-xs text-ink-3">The page that was sent is not stored, so the form opens without it.</p>
        )}
      </div>
    </div>
  );
}
