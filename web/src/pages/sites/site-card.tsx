// The card of one page, as everybody gets it.
import { useEffect, useState } from 'react';
import { api, type SiteView } from '../../api.ts';
import { Badge } from '../../ui/surface.tsx';

type Loaded = { readonly src: string; readonly shows: string | null };

/** The paths of the preview. The settings show the card of one of them, too. */
export const previewQuery = ({ id }: SiteView) => ({
  queryKey: ['site-preview', id],
  queryFn: () => api.sitePreview(id),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** A new version is another picture for the browser, at the same address for the server. */
export function SiteCard({ site, path, version }: { site: SiteView; path: string; version: string }) {
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
