import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { api, type RequestsQuery, type RequestView } from '../../api.ts';
import { ago, dateTime, ms } from '../../format.ts';
import { sentPage } from '../../sent-page.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { Badge, Panel, PanelHeader } from '../../ui/surface.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { VerdictBadges, VerdictSelect, verdictFilterOf, withVerdict } from '../../ui/verdict.tsx';
import { RequestDetails } from './request-details.tsx';

type Outcome = 'all' | 'render' | 'hit' | 'error';
const outcomes: readonly { value: Outcome; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'render', label: 'Renders' },
  { value: 'hit', label: 'Hits' },
  { value: 'error', label: 'Errors' },
];

export function Requests({ keyId }: { keyId: string }) {
  const [search, setSearch] = useSearchParams();
  const outcome = outcomes.find(({ value }) => value === search.get('status'))?.value ?? 'all';
  const verdict = verdictFilterOf(search);
  const filter: RequestsQuery = {
    ...(keyId && { key: keyId }),
    ...(outcome !== 'all' && { outcome }),
    ...(verdict && { verdict }),
  };
  const isFiltered = outcome !== 'all' || verdict !== undefined || keyId !== '';
  const requests = useInfiniteQuery({
    queryKey: ['requests', keyId, outcome, verdict],
    queryFn: ({ pageParam }) => api.requests({ ...filter, ...(pageParam !== undefined && { before: pageParam }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: 15_000,
  });
  const rows = requests.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <Panel className="mt-4">
      <PanelHeader
        title="Recent requests"
        actions={
          <>
            <VerdictSelect
              value={verdict}
              onChange={(value) => setSearch((current) => withVerdict(current, value), { replace: true })}
            />
            <Segmented
              label="Outcome"
              value={outcome}
              onChange={(value) =>
                setSearch(
                  (current) => {
                    const next = new URLSearchParams(current);
                    if (value === 'all') next.delete('status');
                    else next.set('status', value);
                    return next;
                  },
                  { replace: true },
                )
              }
              options={outcomes}
            />
          </>
        }
      />
      {requests.error && rows.length === 0 ? (
        <Failed error={requests.error} retry={() => requests.refetch()} />
      ) : requests.isPending ? (
        <SkeletonRows rows={6} />
      ) : rows.length === 0 ? (
        <Empty icon="camera" title={isFiltered ? 'Nothing matches' : 'No requests yet'}>
          {isFiltered
            ? 'No request of the last 90 days has this outcome, this verdict and this key.'
            : 'Requests from the API and the playground appear here within seconds.'}
        </Empty>
      ) : (
        <ul className="divide-y border-t">
          {rows.map((request) => (
            <Row key={request.id} request={request} />
          ))}
        </ul>
      )}
      {requests.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button look="quiet" size="sm" busy={requests.isFetchingNextPage} onClick={() => requests.fetchNextPage()}>
            Show older requests
          </Button>
        </div>
      )}
    </Panel>
  );
}

const endpointLabels = { screenshot: 'Screenshot', og: 'Open Graph', content: 'Text' } as const;

const subjectOf = ({ endpoint, parameters }: RequestView): string =>
  (endpoint === 'og' ? parameters.template : (parameters.url ?? sentPage(parameters))) ?? '(none)';

function Row({ request }: { request: RequestView }) {
  const [open, setOpen] = useState(false);
  const subject = subjectOf(request);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-3 px-5 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-sunken"
      >
        <Icon name="right" className={`size-3 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} />
        <Thumbnail request={request} />
        <span className="min-w-0 flex-1">
          <span className="block truncate">{subject}</span>
          <span className="block truncate text-xs text-ink-3">
            {endpointLabels[request.endpoint]} · {request.keyName}
          </span>
          <span className="mt-1 flex flex-wrap gap-1 empty:hidden sm:hidden">
            <VerdictBadges verdict={request.verdict} />
          </span>
        </span>
        <span className="flex flex-wrap justify-end gap-1 max-sm:hidden">
          <VerdictBadges verdict={request.verdict} />
        </span>
        {request.warnings.length > 0 && (
          <span title={request.warnings.join('; ')} className="text-warn max-sm:hidden">
            <Icon name="alert" />
            <span className="sr-only">with warnings</span>
          </span>
        )}
        <span className="w-16 text-right text-ink-2 tabular-nums max-sm:hidden">{ms(request.totalMs)}</span>
        <span className="flex w-16 justify-end">
          <OutcomeBadge request={request} />
        </span>
        <time
          dateTime={new Date(request.at).toISOString()}
          title={dateTime(request.at)}
          className="w-24 text-right text-xs text-ink-3 max-sm:hidden"
        >
          {ago(request.at)}
        </time>
      </button>
      {open && <RequestDetails request={request} />}
    </li>
  );
}

function Thumbnail({ request }: { request: RequestView }) {
  const [gone, setGone] = useState(false);
  return (
    <span className="flex h-9 w-14 shrink-0 items-center justify-center overflow-hidden rounded-sm border bg-sunken text-ink-3 max-sm:hidden">
      {request.captureId && request.endpoint !== 'content' && !gone ? (
        <img
          src={api.thumbnail(request.captureId)}
          alt=""
          loading="lazy"
          className="size-full object-cover object-top"
          onError={() => setGone(true)}
        />
      ) : (
        <Icon name={request.outcome === 'error' ? 'alert' : 'file'} />
      )}
    </span>
  );
}

function OutcomeBadge({ request }: { request: RequestView }) {
  if (request.outcome === 'error') return <Badge tone="danger">{request.status}</Badge>;
  return (
    <Badge tone={request.outcome === 'hit' ? 'neutral' : 'ok'}>{request.outcome === 'hit' ? 'HIT' : 'MISS'}</Badge>
  );
}
