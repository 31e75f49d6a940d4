// Ten pages of the site with their cards, painted by this server.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type SiteView } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/states.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { previewQuery, SiteCard } from './site-card.tsx';

export function Preview({ site }: { site: SiteView }) {
  const [round, setRound] = useState(0);
  const preview = useQuery(previewQuery(site));
  const version = `${site.changedAt}-${round}`;
  return (
    <Panel>
      <PanelHeader
        title="Preview"
        actions={
          <Button
            size="sm"
            icon="refresh"
            busy={preview.isFetching}
            onClick={() => {
              setRound(round + 1);
              void preview.refetch();
            }}
          >
            Load again
          </Button>
        }
      >
        Pages from the sitemap, or those that the home page links to.
      </PanelHeader>
      {preview.error ? (
        <Failed error={preview.error} retry={() => preview.refetch()} />
      ) : (
        <ul className="grid gap-x-5 gap-y-6 px-5 pb-5 sm:grid-cols-2">
          {(preview.data?.paths ?? ['/']).map((path) => (
            <li key={path} className="min-w-0">
              <SiteCard path={path} version={version} load={(signal) => api.siteCard(site.id, path, version, signal)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
