// The catalogue of templates, and the validation of a request for one. It needs no fonts and no engine, so the api
// nodes of a cluster have it too.
import type { Egress } from '../egress/egress-types.ts';
import { Problem } from '../kernel/errors.ts';
import { nearestName } from '../kernel/parameters.ts';
import type { CardMaker, CatalogueEntry, Template } from './og-types.ts';
import { loadTemplates, versionOf } from './template-files.ts';
import { checkVariables } from './variables.ts';

export type Catalogue = Pick<CardMaker, 'catalogue' | 'check'> & {
  readonly templates: ReadonlyMap<string, Template>;
  /** Throws template_not_found. */
  find(name: string): Template;
};

/** Checks the values of a card. The variables are those that change it: not `utm_source`, and not `author=`. */
export function checkValues(
  template: Pick<CatalogueEntry, 'name' | 'variables'>,
  given: ReadonlyMap<string, string>,
  egress: Pick<Egress, 'check'>,
): { variables: Record<string, string>; warnings: string[] } {
  const warnings = checkVariables(template, given, (url) => egress.check(url));
  const counts = ([name, value]: [string, string]) => Object.hasOwn(template.variables, name) && value !== '';
  return { warnings, variables: Object.fromEntries([...given].filter(counts)) };
}

type CatalogueOptions = { readonly egress: Pick<Egress, 'check'>; readonly templatesDir?: string | undefined };

export async function createCatalogue({ egress, templatesDir }: CatalogueOptions): Promise<Catalogue> {
  const templates = await loadTemplates(templatesDir);

  const find = (name: string): Template => {
    const template = templates.get(name);
    if (template) return template;
    const near = nearestName(name, templates.keys());
    throw new Problem('template_not_found', {
      parameter: 'template',
      message: `There is no template "${name}".${near ? ` Did you mean ${near}?` : ''} Templates: ${[...templates.keys()].join(', ')}.`,
    });
  };

  return {
    templates,
    find,
    catalogue: [...templates.values()].map(({ name, description, variables, example }) => ({
      name,
      description,
      variables,
      example,
    })),
    check(name, variables) {
      const template = find(name);
      return { ...checkValues(template, variables, egress), version: versionOf(template) };
    },
  };
}
