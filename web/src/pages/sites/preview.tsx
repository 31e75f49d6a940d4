// Ten pages of the site with their cards, painted by this server.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type SiteView } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/states.tsx';
import { Badge, Panel, PanelHeader } from '../../ui/surface.tsx';

export function Preview({ site }: { site: SiteView }) {
  const [round, setRound] = useState(0);
  const preview = useQuery({
    queryKey: ['site-preview', site.id],
    queryFn: () => api.sitePreview(site.id),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
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
              <Card site={site} path={path} version={`${site.changedAt}-${round}`} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type Loaded = { readonly src: string; readonly shows: string | null };

function Card({ site, path, version }: { site: SiteView; path: string; version: string }) {
  const [card, setCard] = useState<Loaded | Error>();
  useEffect(() => {
    const leaving = new AbortController();
    let src: string | undefined;
    api
      .siteCard(site.id, path, version, leaving.signal)
      .then(({ blob, shows }) => {
        if (leaving.signal.aborted) return;
        src = URL.createObjectURL(blob);
        setCard({ src, shows });
      })
      .catch((error: Error) => leaving.signal.aborted || setCard(error));
    return () => {
      leaving.abort();
      if (src !== undefined) URL.revokeObjectURL(src);
    };
  }, [site.id, path, version]);
  return (
    <figure>
      <div className="aspect-[1200/630] overflow-hidden rounded-md border bg-sunken">
        {card === undefined ? (
          <div className="skeleton size-full" />
        ) : card instanceof Error ? (
          <p role="alert" className="flex size-full items-center justify-center p-4 text-center text-sm text-danger">
            {card.message}
          </p>
        ) : (
          <img src={card.src} width={1200} height={630} alt={`Card of ${path}`} className="size-full" />
        )}
      </div>
      <figcaption className="mt-2 flex min-w-0 items-center justify-between gap-3">
        <span className="truncate font-mono text-xs text-ink-2">{path}</span>
        {card !== undefined && !(card instanceof Error) && card.shows === 'site' && (
          <Badge tone="warn">Card of the site</Badge>
        )}
      </figcaption>
    </figure>
  );
}
