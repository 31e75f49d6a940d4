import { useQuery } from '@tanstack/react-query';
import { api, type TemplateView } from '../api.ts';
import { useSession } from '../session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Failed } from '../ui/states.tsx';
import { PageHeader } from '../ui/surface.tsx';
import { OwnTemplates } from './templates/own-list.tsx';

export function Page() {
  const { account } = useSession();
  const templates = useQuery({ queryKey: ['templates'], queryFn: api.templates, staleTime: Infinity });
  return (
    <>
      <PageHeader title="Templates">
        Open Graph cards in any size and script. Every variable is optional, and every one is a query parameter.
      </PageHeader>
      {account && (
        <>
          <OwnTemplates />
          <h2 className="mb-4 text-md font-semibold tracking-[-0.01em]">Built-in templates</h2>
        </>
      )}
      {templates.error ? (
        <Failed error={templates.error} retry={() => templates.refetch()} />
      ) : (
        <div className="grid gap-x-6 gap-y-10 md:grid-cols-2">
          {templates.data
            ? templates.data.templates.map((template) => <Template key={template.name} template={template} />)
            : [0, 1, 2, 3].map((slot) => <div key={slot} className="skeleton aspect-[1200/630] rounded-lg" />)}
        </div>
      )}
    </>
  );
}

function Template({ template }: { template: TemplateView }) {
  const { account } = useSession();
  const playground = `/playground?${new URLSearchParams({ endpoint: 'og', template: template.name, ...template.example })}`;
  return (
    <article aria-labelledby={`template-${template.name}`} className="flex flex-col">
      <div className="aspect-[1200/630] overflow-hidden rounded-lg border bg-sunken shadow-card">
        <img
          src={template.picture}
          width={1200}
          height={630}
          loading="lazy"
          alt={`Example of ${template.name}`}
          className="size-full"
        />
      </div>
      <div className="mt-4 flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 id={`template-${template.name}`} className="font-mono text-base font-semibold">
            {template.name}
          </h2>
          <p className="mt-0.5 text-sm text-pretty text-ink-2">{template.description}</p>
        </div>
        <ButtonLink
          size="sm"
          icon="sliders"
          href={account ? playground : `/sign-in?next=${encodeURIComponent(playground)}`}
        >
          Try it
        </ButtonLink>
      </div>
      <details className="group mt-2">
        <summary className="inline-flex list-none items-center gap-1 rounded-sm text-xs font-medium text-ink-2 hover:text-ink">
          <svg
            aria-hidden="true"
            viewBox="0 0 16 16"
            className="size-3 transition-transform group-open:rotate-90"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.6"
          >
            <path d="M6 4l4 4-4 4" />
          </svg>
          {template.variables.length} variables
        </summary>
        <dl className="mt-2 divide-y border-y text-sm">
          {template.variables.map((variable) => (
            <div key={variable.name} className="grid grid-cols-[9rem_1fr] gap-3 py-2">
              <dt>
                <code className="font-mono text-xs">{variable.name}</code>
                <span className="block text-xs text-ink-3">{variable.type}</span>
              </dt>
              <dd className="text-ink-2">
                {variable.doc}
                {variable.default && <span className="block text-xs text-ink-3">Default: {variable.default}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </article>
  );
}
