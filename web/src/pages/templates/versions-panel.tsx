import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type OwnTemplateDetailsView } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Failed, SkeletonRows } from '../../ui/states.tsx';
import { Badge, ScrollRegion } from '../../ui/surface.tsx';
import { Ago } from '../../ui/time.tsx';
import { lineDiff, withContext } from './line-diff.ts';

const mostAtOnce = 20;

export function VersionsPanel({
  name,
  html,
  latest,
  published,
  onOpen,
  onPublish,
}: {
  name: string;
  /** The text in the editor. */
  html: string;
  latest: number;
  published: number;
  onOpen: (version: OwnTemplateDetailsView) => void;
  onPublish: (version: number) => Promise<void>;
}) {
  const versions = useQuery({
    queryKey: ['template-versions', name, latest],
    queryFn: () => api.templateVersions(name),
    enabled: latest > 0,
  });
  const [compared, setCompared] = useState<number>();
  const [isLong, setLong] = useState(false);
  const { busy, error, run } = useAction();
  if (latest === 0) return <p className="text-sm text-ink-2">Every save is a version. There is none yet.</p>;
  if (versions.error) return <Failed error={versions.error} retry={() => versions.refetch()} />;
  if (versions.data === undefined) return <SkeletonRows rows={2} />;
  const all = versions.data.versions;
  const listed = isLong ? all : all.slice(0, mostAtOnce);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-2">
        Every save is a version. <code className="font-mono text-xs">my/{name}</code> is the published one;{' '}
        <code className="font-mono text-xs">
          my/{name}@{latest}
        </code>{' '}
        never changes.
      </p>
      <FormError>{error?.message}</FormError>
      <ul className="divide-y border-y">
        {listed.map(({ version, createdAt }) => (
          <li key={version} className="py-2.5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span className="text-sm font-medium tabular-nums">Version {version}</span>
              {version === published && <Badge tone="ok">Published</Badge>}
              <span className="text-sm text-ink-3">
                <Ago at={createdAt} />
              </span>
              <span className="ml-auto flex flex-wrap gap-1">
                <Button
                  size="sm"
                  look="quiet"
                  aria-expanded={compared === version}
                  aria-label={`Compare version ${version} with the text`}
                  onClick={() => setCompared(compared === version ? undefined : version)}
                >
                  Compare
                </Button>
                <Button
                  size="sm"
                  look="quiet"
                  disabled={busy}
                  aria-label={`Go back to version ${version}`}
                  onClick={() => run(async () => onOpen(await api.ownTemplate(name, version)))}
                >
                  Go back
                </Button>
                {version !== published && (
                  <Button
                    size="sm"
                    look="quiet"
                    disabled={busy}
                    aria-label={`Publish version ${version}`}
                    onClick={() => run(() => onPublish(version))}
                  >
                    Publish
                  </Button>
                )}
              </span>
            </div>
            {compared === version && <Difference name={name} version={version} html={html} />}
          </li>
        ))}
      </ul>
      {listed.length < all.length && (
        <Button size="sm" onClick={() => setLong(true)} className="self-start">
          Show all {all.length} versions
        </Button>
      )}
    </div>
  );
}

const looks = {
  same: ['', ' ', ''],
  added: ['bg-ok-soft text-ok', '+', 'added: '],
  removed: ['bg-danger-soft text-danger', '−', 'removed: '],
} as const;

function Difference({ name, version, html }: { name: string; version: number; html: string }) {
  const opened = useQuery({
    queryKey: ['template-version', name, version],
    queryFn: () => api.ownTemplate(name, version),
    staleTime: Infinity,
  });
  if (opened.error) return <Failed error={opened.error} retry={() => opened.refetch()} />;
  if (opened.data === undefined) return <SkeletonRows rows={1} />;
  const lines = lineDiff(opened.data.html, html);
  if (lines.every(({ kind }) => kind === 'same'))
    return <p className="mt-2 text-sm text-ink-2">The text in the editor is that of version {version}.</p>;
  return (
    <ScrollRegion
      label={`From version ${version} to the text in the editor`}
      className="mt-2 max-h-96 rounded-md border bg-sunken"
    >
      <pre className="min-w-max py-2 font-mono text-xs leading-5">
        {withContext(lines).map((line, at) => {
          const [tone, sign, word] = line ? looks[line.kind] : (['text-ink-3', '⋯', ''] as const);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place.
            <div key={at} className={`px-3 ${tone}`}>
              <span aria-hidden="true" className="mr-2 inline-block w-2 select-none">
                {sign}
              </span>
              <span className="sr-only">{word}</span>
              {line?.text}
            </div>
          );
        })}
      </pre>
    </ScrollRegion>
  );
}
