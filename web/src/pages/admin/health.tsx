import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type HealthView } from '../../api.ts';
import { ago, bytes, date, dateTime, duration, number, plural } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { Failed } from '../../ui/states.tsx';
import { Badge, Meter, PageHeader, Panel } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';

const listsOldMs = 60 * 24 * 60 * 60 * 1000;

export function Page() {
  const health = useQuery({
    queryKey: ['admin', 'health'],
    queryFn: api.health,
    refetchInterval: 5000,
    // Otherwise no error is reported while the browser is offline.
    networkMode: 'always',
  });
  const [purging, setPurging] = useState(false);
  const client = useQueryClient();
  return (
    <>
      <PageHeader
        title="Service health"
        actions={
          health.data &&
          (health.error ? (
            <Badge tone="danger">No answer since {dateTime(health.dataUpdatedAt)}</Badge>
          ) : (
            <Ready health={health.data} />
          ))
        }
      >
        Refreshed every five seconds.
      </PageHeader>
      {health.error && health.data && (
        <div className="mb-4">
          <FormError>{health.error.message}</FormError>
        </div>
      )}
      {health.error && health.data === undefined ? (
        <Panel>
          <Failed error={health.error} retry={() => health.refetch()} />
        </Panel>
      ) : (
        <div className="grid gap-4 md:grid-cols-2">
          {health.data ? (
            <Cards health={health.data} onPurge={() => setPurging(true)} />
          ) : (
            [0, 1, 2, 3].map((slot) => <div key={slot} className="skeleton h-56 rounded-lg opacity-50" />)
          )}
        </div>
      )}
      {purging && (
        <Confirm
          title="Purge the whole cache?"
          action="Purge cache"
          onClose={() => setPurging(false)}
          onConfirm={async () => {
            const { removed } = await api.purgeCache();
            await client.invalidateQueries({ queryKey: ['admin', 'health'] });
            toast(`${plural(removed, 'result')} removed`);
          }}
        >
          <p>
            This deletes the cached results of all accounts. Requests are rendered again until the cache has filled.
          </p>
        </Confirm>
      )}
    </>
  );
}

const Ready = ({ health }: { health: HealthView }) =>
  health.browser.ready ? <Badge tone="ok">Ready to render</Badge> : <Badge tone="danger">Cannot render now</Badge>;

function Cards({ health, onPurge }: { health: HealthView; onPurge: () => void }) {
  const { browser, queue, cache, lists } = health;
  const listsOld = lists.fetchedAt !== null && Date.now() - lists.fetchedAt > listsOldMs;
  return (
    <>
      <Card title="Browser">
        <Line label="Chromium">{browser.name}</Line>
        <Line label="Pages">
          {number(browser.pagesOpen)} open, {number(browser.pagesReady)} ready
        </Line>
        <Line label="Captures since start">{number(browser.renders)}</Line>
        <Line label="Restarts">{number(browser.restarts)}</Line>
        {browser.sandbox !== undefined && (
          <Line label="Sandbox">{browser.sandbox ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Off</Badge>}</Line>
        )}
      </Card>
      <Card title="Queue">
        <Line label="Running">
          {number(queue.running)} (at most {number(queue.places)} pages open, {number(queue.slots)} rendering)
        </Line>
        <Line label="Waiting">
          {number(queue.waiting)} of {number(queue.max)}
        </Line>
        <div className="pt-3">
          <Meter value={queue.waiting} max={queue.max} label="Waiting renders" />
          <p className="mt-2 text-xs text-ink-3">When the queue is full, further renders get a 503.</p>
        </div>
      </Card>
      <Card
        title="Cache"
        action={
          <Button size="sm" icon="trash" onClick={onPurge}>
            Purge
          </Button>
        }
      >
        <Line label="Results">{number(cache.entries)}</Line>
        <Line label="On disk">
          {bytes(cache.bytes)} of {bytes(cache.maxBytes)}
        </Line>
        <Line label="In memory">{bytes(cache.memoryBytes)}</Line>
        <div className="pt-3">
          <Meter value={cache.bytes} max={cache.maxBytes} label="Size of the cache" />
        </div>
      </Card>
      <Card title="Blocking lists">
        <Line label="Source">{lists.source === 'fetched' ? 'Fetched' : 'Built-in short list'}</Line>
        {lists.version !== null && <Line label="Version">{lists.version}</Line>}
        <Line label="Fetched">
          {lists.fetchedAt === null ? 'Never' : `${date(lists.fetchedAt)} (${ago(lists.fetchedAt)})`}
          {listsOld && (
            <Badge tone="warn" className="ml-2">
              Old
            </Badge>
          )}
        </Line>
        <p className="pt-3 text-xs text-ink-3">
          <code className="font-mono">bin/tintype lists update</code> fetches the newest lists.
        </p>
      </Card>
      <Card title="Server">
        <Line label="Version">Tintype {health.version}</Line>
        <Line label="Running for">{duration(health.uptimeMs)}</Line>
        <Line label="Memory">{bytes(health.memoryBytes)}</Line>
        <Line label="Database">{health.database}</Line>
        <Line label="Node.js">{health.node}</Line>
      </Card>
    </>
  );
}

function Card({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Panel className="px-5 py-4">
      <div className="mb-2 flex h-7.5 items-center justify-between">
        <h2 className="text-base font-semibold tracking-[-0.01em]">{title}</h2>
        {action}
      </div>
      <div className="text-sm">{children}</div>
    </Panel>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 border-b py-1.5 last:border-0">
      <span className="text-ink-2">{label}</span>
      <span className="min-w-0 text-right break-words tabular-nums">{children}</span>
    </div>
  );
}
