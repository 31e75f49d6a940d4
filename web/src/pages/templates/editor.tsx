import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'wouter';
import { ApiError, api } from '../../api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Failed } from '../../ui/states.tsx';
import { PageHeader, Panel } from '../../ui/surface.tsx';
import { useTitle } from '../../ui/title.ts';
import type { Opened } from './draft.ts';
import { PlanNote, useHasTemplates } from './plan-note.tsx';
import { type Stored, Workspace } from './workspace.tsx';

const blank: Opened = {
  html: `<div class="flex flex-col justify-center w-full h-full p-[72px] bg-[#ffffff]">
  <h1 data-fit="96 84 72 60 48" data-lines="4" class="font-bold leading-tight">{{title}}</h1>
</div>
`,
  description: '',
  variables: [{ name: 'title', type: 'text', doc: 'The title.', default: null }],
  example: { title: 'A title in bold' },
};

/** Opens the template, or begins a new one from `?from=`. */
async function open(name: string, from: string): Promise<{ opened: Opened; stored: Stored; isNew: boolean }> {
  const fresh = async () => (from === '' ? blank : await api.starter(from));
  try {
    const template = await api.ownTemplate(name);
    const { latest, published, files } = template;
    const isNew = latest === 0;
    return { opened: isNew ? await fresh() : template, stored: { latest, published, files }, isNew };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'template_not_found') throw error;
    return { opened: await fresh(), stored: { latest: 0, published: 0, files: [] }, isNew: true };
  }
}

export function Page() {
  const { name = '' } = useParams<{ name: string }>();
  const [search] = useSearchParams();
  const from = search.get('from') ?? '';
  const hasTemplates = useHasTemplates();
  useTitle(`my/${name}`);
  const opened = useQuery({
    queryKey: ['own-template', name],
    queryFn: () => open(name, from),
    enabled: hasTemplates,
    // The editor has the text from here on: nothing may replace it.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (opened.data) return <Workspace key={name} name={name} {...opened.data} />;
  return (
    <>
      <PageHeader title={`my/${name}`} actions={<ButtonLink href="/templates">All templates</ButtonLink>} />
      {!hasTemplates ? (
        <PlanNote />
      ) : opened.error ? (
        <Panel>
          <Failed error={opened.error} retry={() => opened.refetch()} />
        </Panel>
      ) : (
        <div role="status" aria-label="Loading" className="grid gap-6 lg:grid-cols-2">
          <div className="skeleton h-96 rounded-lg opacity-50 lg:h-136" />
          <div className="skeleton aspect-[1200/630] rounded-lg opacity-50" />
        </div>
      )}
    </>
  );
}
