// A live example for visitors without a key: the server renders a card while they type. The server limits these requests.
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { firstExample } from '../../../../src/http/dashboard/first-example.ts';
import { api } from '../../api.ts';
import { bytes, ms } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSettled } from '../../ui/settled.ts';
import { Segmented } from '../../ui/tabs.tsx';

const templates = ['default', 'blog-post', 'changelog-card', 'stats-card'] as const;
type Template = (typeof templates)[number];

type Painted = { image: string; size: number; renderTime: number };

async function paint(template: Template, title: string, signal: AbortSignal): Promise<Painted> {
  const response = await api.example({ template, title }, signal);
  const blob = await response.blob();
  return {
    image: URL.createObjectURL(blob),
    size: blob.size,
    renderTime: Number(response.headers.get('x-render-time')),
  };
}

export function LiveExample() {
  const [template, setTemplate] = useState<Template>(firstExample.template);
  const [title, setTitle] = useState<string>(firstExample.title);
  const wanted = useSettled(title, 200);
  const card = useQuery({
    queryKey: ['example', template, wanted],
    queryFn: ({ signal }) => paint(template, wanted, signal),
    placeholderData: (previous) => previous,
    staleTime: Infinity,
  });
  const shown = useDeferredValue(card.data);
  return (
    <section aria-label="Live example" className="overflow-hidden rounded-lg border bg-surface shadow-card">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3">
        <label className="flex min-w-0 flex-1 basis-80 items-center gap-0 font-mono text-xs whitespace-nowrap">
          <span className="text-accent">GET&nbsp;</span>
          <span className="hidden text-ink-2 sm:inline">/v1/og?template={template}&amp;title=</span>
          <span className="text-ink-2 sm:hidden">title=</span>
          <span className="sr-only">Title of the example card</span>
          <input
            value={title}
            maxLength={80}
            onChange={(event) => setTitle(event.target.value)}
            className="min-w-0 flex-1 rounded-sm border-b border-dashed border-line-strong bg-transparent px-1 py-0.5 font-mono text-xs text-ink"
          />
        </label>
        <div className="max-w-full overflow-x-auto">
          <Segmented
            label="Template"
            value={template}
            onChange={setTemplate}
            options={templates.map((name) => ({ value: name, label: name }))}
          />
        </div>
      </div>
      <div className="picture-ground p-3 sm:p-10">
        <div className="mx-auto aspect-[1200/630] max-w-4xl overflow-hidden rounded-md bg-sunken shadow-pop">
          {shown && (
            <img
              src={shown.image}
              width={1200}
              height={630}
              alt={`Card with the title “${wanted}”`}
              className="size-full"
            />
          )}
        </div>
      </div>
      <div
        aria-live="polite"
        className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-2.5 font-mono text-xs text-ink-2"
      >
        {card.error ? (
          <span className="flex items-center gap-2 text-danger">
            <Icon name="alert" /> {card.error.message}
          </span>
        ) : (
          shown && (
            <>
              <span className="text-ok">200 OK</span>
              <span>image/webp</span>
              <span>1200 × 630</span>
              <span>{bytes(shown.size)}</span>
              <span className="sm:ml-auto">rendered by this server in {ms(shown.renderTime)}</span>
            </>
          )
        )}
      </div>
    </section>
  );
}
