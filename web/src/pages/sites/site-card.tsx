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

type Load = (signal: AbortSignal) => Promise<{ blob: Blob; shows: string | null }>;

/** The last card stays until the next one is there. */
export function SiteCard({ path, version, load }: { path: string; version: string; load: Load }) {
  const [card, setCard] = useState<Loaded | Error>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when to load again.
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal)
      .then(({ blob, shows }) => {
        if (leaving.signal.aborted) return;
        setCard({ src: URL.createObjectURL(blob), shows });
      })
      .catch((error: Error) => leaving.signal.aborted || setCard(error));
    return () => leaving.abort();
  }, [path, version]);
  const src = card instanceof Error ? undefined : card?.src;
  useEffect(() => () => void (src && URL.revokeObjectURL(src)), [src]);
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
