import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type WebhookDeliveryView } from '../../api.ts';
import { ago, plural } from '../../format.ts';
import { Row, Rows, RowTitle } from '../../ui/rows.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge, Panel, PanelHeader } from '../../ui/surface.tsx';
import { DeliveryDetails } from './delivery-details.tsx';

export function Deliveries() {
  const deliveries = useInfiniteQuery({
    queryKey: ['webhook-deliveries'],
    queryFn: ({ pageParam }) => api.webhookDeliveries({ before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: 5000,
  });
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Panel className="mt-4">
      <PanelHeader title="Deliveries" />
      <Rows
        query={deliveries}
        rows={rows}
        more="Show older deliveries"
        empty={
          <Empty icon="send" title="No deliveries yet">
            Start a job with <code className="font-mono text-xs">webhook</code>, or send a test.
          </Empty>
        }
      >
        {(delivery) => (
          <Row key={delivery.id} at={delivery.createdAt} details={() => <DeliveryDetails delivery={delivery} />}>
            <RowTitle title={delivery.url} note={`${delivery.type} · ${delivery.subjectId}`} />
            <span className="w-20 text-right text-xs text-ink-2 tabular-nums max-sm:hidden">
              {plural(delivery.attempts, 'attempt')}
            </span>
            <span className="flex justify-end sm:w-36">
              <State of={delivery} />
            </span>
          </Row>
        )}
      </Rows>
    </Panel>
  );
}

function State({ of: { state, attempts, nextAt } }: { of: WebhookDeliveryView }) {
  if (state === 'delivered') return <Badge tone="ok">Delivered</Badge>;
  if (state === 'failed') return <Badge tone="danger">Failed</Badge>;
  if (nextAt === null) return <Badge>Sending</Badge>;
  if (attempts === 0) return <Badge>Waiting</Badge>;
  return <Badge tone="warn">Retries {nextAt - Date.now() < 60_000 ? 'soon' : ago(nextAt)}</Badge>;
}
