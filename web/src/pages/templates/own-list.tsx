import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type OwnTemplateView } from '../../api.ts';
import { ago } from '../../format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Failed } from '../../ui/states.tsx';
import { Badge } from '../../ui/surface.tsx';
import { PlanNote, useHasTemplates } from './plan-note.tsx';

/** The account's own templates, above the built-in ones. */
export function OwnTemplates() {
  const hasTemplates = useHasTemplates();
  const own = useQuery({ queryKey: ['own-templates'], queryFn: api.ownTemplates, enabled: hasTemplates });
  const templates = own.data?.templates ?? [];
  return (
    <section aria-labelledby="own-templates" className="mb-12">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="own-templates" className="text-md font-semibold tracking-[-0.01em]">
          Your templates
        </h2>
        {hasTemplates && (
          <ButtonLink look="primary" icon="plus" href="/templates/new">
            New template
          </ButtonLink>
        )}
      </div>
      {!hasTemplates ? (
        <PlanNote />
      ) : own.error ? (
        <Failed error={own.error} retry={() => own.refetch()} />
      ) : own.data && templates.length === 0 ? (
        <p className="rounded-lg border border-dashed px-5 py-8 text-center text-sm text-balance text-ink-2">
          None yet. A template is HTML and CSS; start from one of those below, or from a blank card.
        </p>
      ) : (
        <ul className="grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
          {own.data
            ? templates.map((template) => <OwnTemplate key={template.name} template={template} />)
            : [0, 1, 2].map((slot) => <li key={slot} className="skeleton aspect-[1200/630] rounded-lg" />)}
        </ul>
      )}
    </section>
  );
}

function OwnTemplate({
  template: { name, description, latest, published, updatedAt, picture },
}: {
  template: OwnTemplateView;
}) {
  return (
    <li className="relative flex min-w-0 flex-col">
      <div className="picture-ground aspect-[1200/630] overflow-hidden rounded-lg border shadow-card">
        {picture && (
          <img
            src={picture}
            width={600}
            height={315}
            loading="lazy"
            alt={`Example of my/${name}`}
            className="size-full"
          />
        )}
      </div>
      <h3 className="mt-3 flex items-center gap-2">
        <Link
          href={`/templates/my/${name}`}
          className="min-w-0 truncate rounded-sm font-mono text-sm font-semibold after:absolute after:inset-0 hover:underline"
        >
          my/{name}
        </Link>
        {published > 0 && <Badge tone="ok">Version {published}</Badge>}
        {published === 0 ? <Badge>Not published</Badge> : latest > published && <Badge>{latest} not published</Badge>}
      </h3>
      <p className="mt-0.5 truncate text-sm text-ink-2">{description || `Changed ${ago(updatedAt)}`}</p>
    </li>
  );
}
