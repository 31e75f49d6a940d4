import { type ReactNode, useState } from 'react';
import { api, type EndpointName } from '../api.ts';
import { Icon, type IconName } from './icon.tsx';

/** A picture of a result: of a PDF its first page. `children` are shown if there is none, or no longer. */
export function Picture({
  src,
  alt = '',
  className,
  children,
}: {
  src: string | undefined;
  alt?: string;
  className: string;
  children: ReactNode;
}) {
  const [missing, setMissing] = useState<string>();
  if (src === undefined || src === missing) return children;
  return <img src={src} alt={alt} loading="lazy" className={className} onError={() => setMissing(src)} />;
}

const pictureOf = (captureId: string | null, kind: EndpointName) =>
  captureId !== null && kind !== 'content' ? api.thumbnail(captureId) : undefined;

/** In a row of a list. */
export function Thumbnail({
  captureId,
  kind,
  otherwise,
}: {
  captureId: string | null;
  kind: EndpointName;
  otherwise: IconName;
}) {
  return (
    <span className="flex h-9 w-14 shrink-0 items-center justify-center overflow-hidden rounded-sm border bg-sunken text-ink-3 max-sm:hidden">
      <Picture src={pictureOf(captureId, kind)} className="size-full object-cover object-top">
        <Icon name={otherwise} />
      </Picture>
    </span>
  );
}

/** In the details of a row: the picture opens the result. */
export function ResultLink({ captureId, kind }: { captureId: string; kind: EndpointName }) {
  return (
    <a
      href={api.picture(captureId)}
      target="_blank"
      rel="noreferrer"
      className="block overflow-hidden rounded-md border bg-surface"
    >
      <Picture src={pictureOf(captureId, kind)} alt="The result" className="max-h-48 w-full object-cover object-top">
        <span className="block px-3 py-2 text-xs font-medium">Open the result</span>
      </Picture>
    </a>
  );
}
