import type { JobStatus } from '../../api.ts';
import { Badge } from '../../ui/surface.tsx';

export const statuses: Readonly<Record<JobStatus, { label: string; tone: 'neutral' | 'ok' | 'danger' | 'accent' }>> = {
  queued: { label: 'Queued', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
  canceled: { label: 'Canceled', tone: 'neutral' },
};

export const StatusBadge = ({ status }: { status: JobStatus }) => (
  <Badge tone={statuses[status].tone}>{statuses[status].label}</Badge>
);
