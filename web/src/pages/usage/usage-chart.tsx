import { useMemo, useState } from 'react';
import type { UsageView } from '../../api.ts';
import { number, utcDay, utcHour } from '../../format.ts';
import { Bars, type Series } from '../../ui/bars.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ScrollRegion } from '../../ui/surface.tsx';

const series: readonly Series[] = [
  { label: 'Renders', color: '--chart-renders' },
  { label: 'Hits', color: '--chart-hits' },
  { label: 'Errors', color: '--chart-errors' },
];

export function UsageChart({ usage }: { usage: UsageView | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const bars = useMemo(
    () => usage?.buckets.map(({ at, renders, hits, errors }) => ({ at, values: [renders, hits, errors] })) ?? [],
    [usage],
  );
  // The server counts by UTC hours and days, so the labels are in UTC.
  const format = usage?.by === 'hour' ? utcHour : utcDay;
  if (usage === undefined) return <div className="skeleton h-63 opacity-40" />;
  const { totals } = usage;
  const label = `Bar chart by ${usage.by}: ${totals.renders} renders, ${totals.hits} hits and ${totals.errors} errors in total. The table below has the numbers.`;
  return (
    <>
      <Bars bars={bars} series={series} format={format} label={label} />
      <details className="group mt-3" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex list-none flex-wrap items-center gap-x-5 gap-y-1 rounded-sm text-xs text-ink-2">
          {series.map(({ label: name, color }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span className="size-2 rounded-[2px]" style={{ background: `var(${color})` }} />
              {name}
            </span>
          ))}
          <span className="text-ink-3">UTC</span>
          <span className="ml-auto flex items-center gap-1 font-medium hover:text-ink">
            <Icon name="right" className="size-3 transition-transform group-open:rotate-90" />
            Show as table
          </span>
        </summary>
        {isOpen && <AsTable usage={usage} />}
      </details>
    </>
  );
}

function AsTable({ usage }: { usage: UsageView }) {
  return (
    <ScrollRegion label={`Requests by ${usage.by}`} className="mt-3 max-h-72 rounded-md border">
      <table className="w-full text-xs">
        <thead className="sticky top-0 bg-surface">
          <tr className="text-left text-ink-3">
            <th scope="col" className="px-3 py-1.5 font-medium">
              {usage.by === 'hour' ? 'Hour' : 'Day'} (UTC)
            </th>
            {series.map(({ label: name }) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usage.buckets.map((bucket) => (
            <tr key={bucket.at} className="border-t">
              <th scope="row" className="px-3 py-1.5 text-left font-normal">
                {utcDay(bucket.at)}
                {usage.by === 'hour' && `, ${utcHour(bucket.at)}`}
              </th>
              <td className="px-3 py-1.5 text-right">{number(bucket.renders)}</td>
              <td className="px-3 py-1.5 text-right">{number(bucket.hits)}</td>
              <td className="px-3 py-1.5 text-right">{number(bucket.errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
