import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type WebhookAttemptView, type WebhookDeliveryView } from '../../api.ts';
import { dateTime, ms } from '../../format.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { FormError } from '../../ui/field.tsx';
import { Failed, SkeletonRows } from '../../ui/states.tsx';
import { Badge, ScrollRegion } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';

export function DeliveryDetails({ delivery }: { delivery: WebhookDeliveryView }) {
  const { id, attempts, state } = delivery;
  // Read again when the list shows that something has changed.
  const details = useQuery({
    queryKey: ['webhook-delivery', id, attempts, state],
    queryFn: () => api.webhook(id),
    placeholderData: (previous) => previous,
  });
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const sendAgain = () =>
    run(async () => {
      await api.sendWebhookAgain(id);
      await Promise.all([
        client.invalidateQueries({ queryKey: ['webhook-deliveries'] }),
        client.invalidateQueries({ queryKey: ['webhook-delivery', id] }),
      ]);
      toast('Sent again');
    });
  return (
    <div className="bg-sunken px-5 py-5 text-sm lg:pl-12">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-xs break-all text-ink-2">
          webhook-id <span className="font-mono">{id}</span>
          <br />
          {delivery.url}
        </p>
        <Button size="sm" icon="refresh" busy={busy} onClick={sendAgain}>
          Send again
        </Button>
      </div>
      {error && <FormError>{error.message}</FormError>}
      {details.error ? (
        <Failed error={details.error} retry={() => details.refetch()} />
      ) : details.data === undefined ? (
        <SkeletonRows rows={2} />
      ) : (
        <>
          <h3 className="mb-2 text-xs font-medium text-ink-2">Attempts</h3>
          {details.data.attempts.length === 0 ? (
            <p className="text-xs text-ink-2">None yet.</p>
          ) : (
            <ol className="flex flex-col gap-3">
              {details.data.attempts.map((attempt) => (
                <Attempt key={attempt.id} attempt={attempt} />
              ))}
            </ol>
          )}
          <CodeBlock className="mt-5" label="Body" code={readable(details.data.body)} />
        </>
      )}
    </div>
  );
}

function Attempt({ attempt: { at, status, error, durationMs, answer } }: { attempt: WebhookAttemptView }) {
  return (
    <li>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2">
        <Badge tone={error === null ? 'ok' : 'danger'}>{status ?? 'No answer'}</Badge>
        <time dateTime={new Date(at).toISOString()}>{dateTime(at)}</time>
        <span className="tabular-nums">{ms(durationMs)}</span>
        {error !== null && <span className="min-w-0 break-words">{error}</span>}
      </p>
      {answer !== '' && (
        <ScrollRegion label="Answer" className="mt-1.5 max-h-40 rounded-md border bg-surface">
          <pre className="p-3 font-mono text-xs whitespace-pre-wrap break-words">{answer}</pre>
        </ScrollRegion>
      )}
    </li>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
