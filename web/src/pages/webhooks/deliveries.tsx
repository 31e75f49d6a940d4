import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type WebhookDeliveryView } from '../../api.ts';
import { ago, dateTime, plural } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
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
      {deliveries.error && rows.length === 0 ? (
        <Failed error={deliveries.error} retry={() => deliveries.refetch()} />
      ) : deliveries.isPending ? (
        <SkeletonRows rows={6} />
      ) : rows.length === 0 ? (
        <Empty icon="send" title="No deliveries yet">
          Start a job with <code className="font-mono text-xs">webhook</code>, or send a test.
        </Empty>
      ) : (
        <ul className="divide-y border-t">
          {rows.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {deliveries.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button
            look="quiet"
            size="sm"
            busy={deliveries.isFetchingNextPage}
            onClick={() => deliveries.fetchNextPage()}
          >
            Show older deliveries
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Row({ delivery }: { delivery: WebhookDeliveryView }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-3 px-5 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-sunken"
      >
        <Icon name="right" className={`size-3 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} />
        <span className="min-w-0 flex-1">
          <span className="block truncate">{delivery.url}</span>
          <span className="block truncate text-xs text-ink-3">
            {delivery.type} · {delivery.subjectId}
          </span>
        </span>
        <span className="w-20 text-right text-xs text-ink-2 tabular-nums max-sm:hidden">
          {plural(delivery.attempts, 'attempt')}
        </span>
        <span className="flex justify-end sm:w-36">
          <State of={delivery} />
        </span>
        <time
          dateTime={new Date(delivery.createdAt).toISOString()}
          title={dateTime(delivery.createdAt)}
          className="w-24 text-right text-xs text-ink-3 max-sm:hidden"
        >
          {ago(delivery.createdAt)}
        </time>
      </button>
      {open && <DeliveryDetails delivery={delivery} />}
    </li>
  );
}

function State({ of: { state, attempts, nextAt } }: { of: WebhookDeliveryView }) {
  if (state === 'delivered') return <Badge tone="ok">Delivered</Badge>;
  if (state === 'failed') return <Badge tone="danger">Failed</Badge>;
  if (nextAt === null) return <Badge>Sending</Badge>;
  if (attempts === 0) return <Badge>Waiting</Badge>;
  return <Badge tone="warn">Retries {nextAt - Date.now() < 60_000 ? 'soon' : ago(nextAt)}</Badge>;
}
