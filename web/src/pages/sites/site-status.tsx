import type { SiteView } from '../../api.ts';
import { Badge } from '../../ui/surface.tsx';

export const hostOf = ({ origin }: Pick<SiteView, 'origin'>): string => origin.replace('https://', '');

export function SiteStatus({ site }: { site: SiteView }) {
  if (site.verifiedAt === null) return <Badge tone="warn">Not verified</Badge>;
  if (site.isStopped) return <Badge tone="danger">Stopped</Badge>;
  if (site.lostAt !== null) return <Badge tone="warn">Proof missing</Badge>;
  return <Badge tone="ok">Verified</Badge>;
}
