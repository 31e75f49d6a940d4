import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { api, type RangeName, type UsageView } from '../../api.ts';
import { date, ms, number, percent } from '../../format.ts';
import { useAccount, useSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Failed } from '../../ui/states.tsx';
import { Meter, PageHeader, Panel, PanelHeader, Td, Th } from '../../ui/surface.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { KeyFilter } from './key-filter.tsx';
import { Requests } from './requests.tsx';
import { UsageChart } from './usage-chart.tsx';

const ranges: readonly { value: RangeName; label: string }[] = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
];

export function Page() {
  const [search, setSearch] = useSearchParams();
  const range = ranges.find(({ value }) => value === search.get('range'))?.value ?? '7d';
  const key = search.get('key') ?? '';
  const set = (name: string, value: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const usage = useQuery({
    queryKey: ['usage', range, key],
    queryFn: () => api.usage(range, key || undefined),
    placeholderData: (previous) => previous,
    refetchInterval: 15_000,
  });
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          <>
            <KeyFilter value={key} onChange={(id) => set('key', id)} />
            <Segmented label="Range" value={range} onChange={(value) => set('range', value)} options={ranges} />
          </>
        }
      >
        Every render that starts counts toward your plan. Cache hits are free.
      </PageHeader>
      {usage.error && usage.data === undefined ? (
        <Panel>
          <Failed error={usage.error} retry={() => usage.refetch()} />
        </Panel>
      ) : (
        <>
          <Figures usage={usage.data} />
          <Panel className="mt-4">
            <PanelHeader
              title="Requests"
              actions={
                <ButtonLink size="sm" icon="download" href={api.usageCsv(range, key || undefined)}>
                  CSV
                </ButtonLink>
              }
            />
            <div className="px-5 pb-4">
              <UsageChart usage={usage.data} />
            </div>
          </Panel>
          <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <ByKey usage={usage.data} />
            <div className="flex flex-col gap-4">
              {usage.data?.quota && <Month quota={usage.data.quota} />}
              <RateNow usage={usage.data} />
            </div>
          </div>
        </>
      )}
      {/* Hidden until the panels above have their size, so that it does not jump. */}
      <div hidden={usage.isPending}>
        <Requests keyId={key} />
      </div>
    </>
  );
}

function Figures({ usage }: { usage: UsageView | undefined }) {
  const totals = usage?.totals;
  const served = totals ? totals.renders + totals.hits : 0;
  const times = usage?.renderTimes;
  return (
    <Panel className="grid grid-cols-2 divide-line max-lg:[&>*:nth-child(n+3)]:border-t lg:grid-cols-4 lg:divide-x">
      <Figure label="Renders" value={totals && number(totals.renders)} note="results rendered" />
      <Figure
        label="Cache hits"
        value={totals && number(totals.hits)}
        note={served > 0 && totals ? `${percent(totals.hits / served)} of served results` : 'nothing served yet'}
      />
      <Figure label="Errors" value={totals && number(totals.errors)} note="failed requests" />
      <Figure
        label="Render time"
        value={usage && (times ? ms(times.p50) : '–')}
        note={times ? `median; 95 % within ${ms(times.p95)}` : 'no renders yet'}
      />
    </Panel>
  );
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note: string }) {
  return (
    <div className="px-5 py-4">
      <p className="text-sm text-ink-2">{label}</p>
      <p className="mt-1 h-7 text-xl font-semibold tracking-[-0.02em] tabular-nums">
        {value ?? <span className="skeleton inline-block h-5 w-20" />}
      </p>
      <p className="mt-0.5 text-xs text-ink-3">{value === undefined ? '\u00a0' : note}</p>
    </div>
  );
}

/** The busiest keys come first; more would push the requests off the page. */
const mostKeys = 6;

function ByKey({ usage }: { usage: UsageView | undefined }) {
  const all = usage?.byKey ?? [];
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? all : all.slice(0, mostKeys);
  return (
    <Panel>
      <PanelHeader title="By key" />
      {rows.length === 0 ? (
        <p className="px-5 pt-1 pb-6 text-sm text-ink-2">{usage ? 'No key was used in this period.' : '\u00a0'}</p>
      ) : (
        <table className="w-full">
          <thead>
            <tr>
              <Th>Key</Th>
              <Th className="text-right max-sm:pl-0">Renders</Th>
              <Th className="text-right max-sm:pl-0">Hits</Th>
              <Th className="text-right max-sm:pl-0">Errors</Th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {rows.map((row) => (
              <tr key={row.keyId}>
                <Td className="h-10! w-full max-w-0 truncate font-medium" title={row.name}>
                  {row.name}
                </Td>
                <Td className="h-10! text-right max-sm:pl-0">{number(row.renders)}</Td>
                <Td className="h-10! text-right max-sm:pl-0">{number(row.hits)}</Td>
                <Td className={`h-10! text-right max-sm:pl-0 ${row.errors > 0 ? 'text-danger' : ''}`}>
                  {number(row.errors)}
                </Td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {all.length > mostKeys && (
        <Button look="quiet" size="sm" className="m-2" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${number(all.length)} keys`}
        </Button>
      )}
    </Panel>
  );
}

function Month({ quota: { limit, remaining, resetAt } }: { quota: NonNullable<UsageView['quota']> }) {
  return (
    <Panel className="px-5 py-4">
      <h2 className="text-base font-semibold tracking-[-0.01em]">This month</h2>
      <p className="mt-3 mb-2 text-sm text-ink-2">
        <span className="text-ink tabular-nums">{number(limit - remaining)}</span> of{' '}
        <span className="tabular-nums">{number(limit)}</span> renders
      </p>
      <Meter value={limit - remaining} max={limit} label="Renders in this month" />
      <p className="mt-3 text-xs text-ink-3">Starts again on {date(resetAt)}. Cache hits are free.</p>
    </Panel>
  );
}

function RateNow({ usage }: { usage: UsageView | undefined }) {
  const account = useAccount();
  const { plans } = useSession();
  const rate = usage?.rate;
  const label = plans.find((plan) => plan.name === account.plan)?.label;
  const used = rate ? rate.limit - rate.remaining : 0;
  return (
    <Panel className="px-5 py-4">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Rate limit now</h2>
      <p className="mt-3 mb-2 text-sm text-ink-2">
        <span className="text-ink tabular-nums">{rate ? number(used) : '–'}</span> of{' '}
        <span className="tabular-nums">{rate ? number(rate.limit) : '–'}</span> renders in this minute
      </p>
      <Meter value={used} max={rate?.limit ?? 1} label="Renders in this minute" />
      <p className="mt-3 text-xs text-ink-3">{label} plan. Beyond the limit, requests get a 429 with Retry-After.</p>
    </Panel>
  );
}
