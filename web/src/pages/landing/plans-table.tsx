import type { PlanView } from '../../api.ts';
import { number } from '../../format.ts';
import { planAtLeast, useSession } from '../../session.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ScrollRegion } from '../../ui/surface.tsx';

const limits: readonly { label: string; value: (plan: PlanView) => string }[] = [
  { label: 'Results are kept', value: (plan) => `${number(plan.ttlDays)} days` },
  { label: 'Renders a minute', value: (plan) => number(plan.rendersPerMinute) },
  { label: 'Renders a month', value: (plan) => (plan.rendersPerMonth ? number(plan.rendersPerMonth) : 'unlimited') },
  { label: 'Renders at once', value: (plan) => number(plan.rendersAtOnce) },
  { label: 'Active API keys', value: (plan) => number(plan.keys) },
];

// The server says which plan includes a feature; only the labels are here.
const features: readonly { label: string; gate: string | null }[] = [
  { label: 'Screenshots and PDFs', gate: null },
  { label: 'Ad and cookie banner blocking', gate: 'blockAds' },
  { label: 'Dark mode', gate: 'darkMode' },
  { label: 'PDF page size, margins, header and footer', gate: 'pageSize' },
  { label: 'Device presets', gate: 'device' },
  { label: 'Custom CSS and JavaScript', gate: 'customCSS' },
  { label: 'Open Graph images', gate: 'og' },
];

export function PlansTable({ current }: { current?: string }) {
  const { plans, gates } = useSession();
  const head = (name: string) => (name === current ? 'bg-accent-soft' : '');
  return (
    <ScrollRegion label="Limits and features of each plan" className="rounded-lg border bg-surface shadow-card">
      <table className="w-full min-w-100 table-fixed text-xs sm:text-sm">
        <thead>
          <tr>
            <td className="w-[34%] border-b sm:w-2/5" />
            {plans.map((plan) => (
              <th
                key={plan.name}
                scope="col"
                className={`border-b px-1.5 py-3.5 text-left font-semibold sm:px-4 sm:text-base ${head(plan.name)}`}
              >
                {plan.label}
                {plan.name === current && (
                  <span className="hidden text-xs font-medium text-accent sm:block">current</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {limits.map(({ label, value }) => (
            <tr key={label} className="border-b">
              <th scope="row" className="py-2.5 pr-1 pl-3 text-left font-normal text-ink-2 sm:px-5">
                {label}
              </th>
              {plans.map((plan) => (
                <td key={plan.name} className={`px-1.5 py-2.5 sm:px-4 sm:whitespace-nowrap ${head(plan.name)}`}>
                  {value(plan)}
                </td>
              ))}
            </tr>
          ))}
          {features.map(({ label, gate }) => (
            <tr key={label} className="border-b last:border-0">
              <th scope="row" className="py-2.5 pr-1 pl-3 text-left font-normal text-ink-2 sm:px-5">
                {label}
              </th>
              {plans.map((plan) => {
                const lowest = gate === null ? 'free' : gates[gate];
                const has = lowest === undefined || planAtLeast(plan.name, lowest);
                return (
                  <td key={plan.name} className={`px-1.5 py-2.5 whitespace-nowrap sm:px-4 ${head(plan.name)}`}>
                    {has ? <Icon name="check" className="text-ok" /> : <span className="text-ink-3">–</span>}
                    <span className="sr-only">{has ? 'included' : 'not included'}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
