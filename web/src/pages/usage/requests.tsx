import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { api, type RequestsQuery, type RequestView } from '../../api.ts';
import { ms } from '../../format.ts';
import { sentPage } from '../../sent-page.ts';
import { Icon } from '../../ui/icon.tsx';
import { Row, Rows, RowTitle } from '../../ui/rows.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge, Panel, PanelHeader } from '../../ui/surface.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
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
    initialPageParam: undefined as string | undefined,
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
      <Rows
        query={requests}
        rows={rows}
        more="Show older requests"
        empty={
          <Empty icon="camera" title={isFiltered ? 'Nothing matches' : 'No requests yet'}>
            {isFiltered
              ? 'No request of the last 90 days has this outcome, this verdict and this key.'
              : 'Requests from the API and the playground appear here within seconds.'}
          </Empty>
        }
      >
        {(request) => <RequestRow key={request.id} request={request} />}
      </Rows>
    </Panel>
  );
}

const endpointLabels = { screenshot: 'Screenshot', og: 'Open Graph', content: 'Text' } as const;

const subjectOf = ({ endpoint, parameters }: RequestView): string =>
  (endpoint === 'og' ? parameters.template : (parameters.url ?? sentPage(parameters))) ?? '(none)';

function RequestRow({ request }: { request: RequestView }) {
  const { endpoint, captureId, outcome, verdict, warnings } = request;
  return (
    <Row at={request.at} details={() => <RequestDetails request={request} />}>
      <Thumbnail captureId={captureId} kind={endpoint} otherwise={outcome === 'error' ? 'alert' : 'file'} />
      <RowTitle title={subjectOf(request)} note={`${endpointLabels[endpoint]} · ${request.keyName}`}>
        <span className="mt-1 flex flex-wrap gap-1 empty:hidden sm:hidden">
          <VerdictBadges verdict={verdict} />
        </span>
      </RowTitle>
      <span className="flex flex-wrap justify-end gap-1 max-sm:hidden">
        <VerdictBadges verdict={verdict} />
      </span>
      {warnings.length > 0 && (
        <span title={warnings.join('; ')} className="text-warn max-sm:hidden">
          <Icon name="alert" />
          <span className="sr-only">with warnings</span>
        </span>
      )}
      <span className="w-16 text-right text-ink-2 tabular-nums max-sm:hidden">{ms(request.totalMs)}</span>
      <span className="flex w-16 justify-end">
        <OutcomeBadge request={request} />
      </span>
    </Row>
  );
}

function OutcomeBadge({ request }: { request: RequestView }) {
  if (request.outcome === 'error') return <Badge tone="danger">{request.status}</Badge>;
  return (
    <Badge tone={request.outcome === 'hit' ? 'neutral' : 'ok'}>{request.outcome === 'hit' ? 'HIT' : 'MISS'}</Badge>
  );
}
