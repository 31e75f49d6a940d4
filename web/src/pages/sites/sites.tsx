import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type SiteView } from '../../api.ts';
import { planAtLeast, useAccount, useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { PageHeader, Panel } from '../../ui/surface.tsx';
import { RegisterSite } from './register-site.tsx';
import { hostOf, SiteStatus } from './site-status.tsx';

export function Page() {
  const sites = useQuery({ queryKey: ['sites'], queryFn: api.sites });
  const client = useQueryClient();
  const account = useAccount();
  const { gates, plans } = useSession();
  const [registering, setRegistering] = useState(false);
  const locked = !planAtLeast(account.plan, gates.og ?? 'free');
  const planLabel = plans.find(({ name }) => name === gates.og)?.label;
  const register = (
    <Button look="primary" icon="plus" disabled={locked} onClick={() => setRegistering(true)}>
      Register a site
    </Button>
  );
  return (
    <>
      <PageHeader title="Sites" actions={register}>
        One line of HTML gives every page of your site its own card, filled with the page’s title, author and image.
      </PageHeader>
      {locked && (
        <p className="mb-4 flex items-start gap-2 rounded-md bg-accent-soft px-4 py-3 text-sm text-accent">
          <Icon name="lock" className="mt-0.5" />
          Site cards need the {planLabel} plan.
        </p>
      )}
      <Panel>
        {sites.error ? (
          <Failed error={sites.error} retry={() => sites.refetch()} />
        ) : sites.data === undefined ? (
          <SkeletonRows />
        ) : sites.data.sites.length === 0 ? (
          <Empty icon="globe" title="No sites yet" action={register}>
            Register the address of your site, prove that it is yours, and choose a template.
          </Empty>
        ) : (
          <ul className="divide-y">
            {sites.data.sites.map((site) => (
              <Row key={site.id} site={site} />
            ))}
          </ul>
        )}
      </Panel>
      {registering && (
        <RegisterSite
          onClose={() => setRegistering(false)}
          onRegistered={() => client.invalidateQueries({ queryKey: ['sites'] })}
        />
      )}
    </>
  );
}

const Row = ({ site }: { site: SiteView }) => (
  <li>
    <Link
      href={`/sites/${site.id}`}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3.5 outline-offset-[-2px] transition-colors first:rounded-t-lg last:rounded-b-lg hover:bg-sunken"
    >
      <span className="min-w-0 flex-1 basis-32">
        <span className="block truncate text-sm font-medium">{hostOf(site)}</span>
        <span className="block text-xs text-ink-3">
          {site.template} · {site.pages === 1 ? '1 page' : `${site.pages} pages`} read
        </span>
      </span>
      <span className="flex items-center gap-4">
        <SiteStatus site={site} />
        <Icon name="right" className="text-ink-3" />
      </span>
    </Link>
  </li>
);
