import { planAtLeast, useAccount, useSession } from '../../session.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Whether the plan has templates of one's own. */
export function useHasTemplates(): boolean {
  const { plan } = useAccount();
  const { gates } = useSession();
  return planAtLeast(plan, gates.og ?? 'free');
}

export function PlanNote() {
  const { gates, plans } = useSession();
  const label = plans.find(({ name }) => name === gates.og)?.label ?? 'a higher plan';
  return (
    <p className="flex items-start gap-2.5 rounded-lg border bg-surface px-4 py-3 text-sm text-ink-2 shadow-card">
      <Icon name="lock" className="mt-0.5 text-ink-3" />
      Templates of your own come with {label} and the plans above it.
    </p>
  );
}
