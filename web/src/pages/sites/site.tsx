// One site: its ownership, the line of HTML, its card, and some of its pages.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, type SitesView, type SiteView } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { PageHeader, Panel, PanelHeader } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';
import { CardSettings } from './card-settings.tsx';
import { Ownership } from './ownership.tsx';
import { Preview } from './preview.tsx';
import { RefreshPage } from './refresh-page.tsx';
import { hostOf, SiteStatus } from './site-status.tsx';

export function Page() {
  const { id = '' } = useParams<{ id: string }>();
  const sites = useQuery({ queryKey: ['sites'], queryFn: api.sites });
  const site = sites.data?.sites.find((each) => each.id === id);
  if (sites.error) return <Failed error={sites.error} retry={() => sites.refetch()} />;
  if (sites.data === undefined) return <div role="status" aria-label="Loading" className="skeleton h-96 rounded-lg" />;
  if (site === undefined)
    return (
      <>
        <PageHeader title="Sites" />
        <Panel>
          <Empty icon="globe" title="There is no such site">
            It may have been removed.{' '}
            <Link href="/sites" className="rounded-sm underline underline-offset-2">
              All sites
            </Link>
          </Empty>
        </Panel>
      </>
    );
  return <Details key={site.id} site={site} choices={sites.data} />;
}

function Details({ site, choices }: { site: SiteView; choices: SitesView }) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [removing, setRemoving] = useState(false);
  const changed = (view: SiteView) =>
    client.setQueryData<SitesView>(
      ['sites'],
      (all) => all && { ...all, sites: all.sites.map((each) => (each.id === view.id ? view : each)) },
    );
  return (
    <>
      <Link href="/sites" className="mb-2 inline-flex items-center gap-1 rounded-sm text-sm text-ink-2 hover:text-ink">
        <Icon name="right" className="size-3.5 rotate-180" />
        Sites
      </Link>
      <PageHeader
        title={hostOf(site)}
        actions={
          <>
            <SiteStatus site={site} />
            <Button icon="trash" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <Ownership site={site} onChecked={changed} />
        {site.verifiedAt !== null && (
          <>
            <Snippet site={site} />
            <CardSettings site={site} choices={choices} onSaved={changed} />
            <Preview site={site} />
            <RefreshPage site={site} />
          </>
        )}
      </div>
      {removing && (
        <Confirm
          title={`Remove ${hostOf(site)}?`}
          action="Remove site"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.removeSite(site.id);
            await client.invalidateQueries({ queryKey: ['sites'] });
            toast('Site removed');
            go('/sites');
          }}
        >
          <p>
            Its cards answer 404 from now on, in every page that has the line. The same address gets another id if you
            register it again.
          </p>
        </Confirm>
      )}
    </>
  );
}

const Snippet = ({ site }: { site: SiteView }) => (
  <Panel>
    <PanelHeader title="The line of HTML">
      Into the head of every page. Behind the id comes the path of the page; a query string does not count.
    </PanelHeader>
    <div className="px-5 pb-5">
      <CodeBlock label="HTML" code={`<meta property="og:image" content="${site.cardUrl}/blog/hello">`} />
    </div>
  </Panel>
);
