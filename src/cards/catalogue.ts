// The catalogue of templates, and the validation of a request for one. It needs no fonts and no engine, so the api
// nodes of a cluster have it too.
import type { Egress } from '../egress/egress-types.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import type { CardMaker, CatalogueEntry, Template } from './card-types.ts';
import { loadTemplates, reloadTemplates, type Templates } from './template-folder.ts';
import { checkVariables } from './variables.ts';
import { watchFolder } from './watch-folder.ts';

export type Catalogue = Pick<CardMaker, 'catalogue' | 'revision' | 'check'> & {
  readonly templates: Templates;
  /** Throws template_not_found. */
  find(name: string): Template;
  /** Ends the watch. */
  stop(): void;
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

export type CatalogueOptions = {
  readonly egress: Pick<Egress, 'check'>;
  readonly templatesDir?: string | undefined;
  /** Follows changes of the files. */
  readonly watch?: { readonly log: Log; readonly tryOut?: (template: Template) => Promise<void> };
};

export async function createCatalogue({ egress, templatesDir, watch }: CatalogueOptions): Promise<Catalogue> {
  let templates = await loadTemplates(templatesDir);
  let entries = entriesOf(templates);
  let revision = 0;

  async function reload(folder: string, { log, tryOut = async () => {} }: NonNullable<typeof watch>) {
    const found = await reloadTemplates(folder, templates, {
      tryOut,
      onFault: (fault) => {
        const { file, line, column } = fault as { file?: string; line?: number; column?: number };
        log.error(
          { file, line, column, reason: fault.message },
          'a template file has a mistake; its last version stays',
        );
      },
    });
    const names = new Set([...found.keys(), ...templates.keys()]);
    const changed = [...names].filter((name) => found.get(name) !== templates.get(name));
    if (changed.length === 0) return;
    templates = found;
    entries = entriesOf(found);
    revision++;
    log.info({ templates: changed }, 'templates changed');
  }
  const watcher =
    templatesDir === undefined || watch === undefined
      ? undefined
      : watchFolder(templatesDir, () => reload(templatesDir, watch), watch.log);

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
    get templates() {
      return templates;
    },
    get catalogue() {
      return entries;
    },
    get revision() {
      return revision;
    },
    find,
    check(name, variables) {
      const template = find(name);
      return { ...checkValues(template, variables, egress), version: template.version };
    },
    stop: () => watcher?.stop(),
  };
}

const entriesOf = (templates: Templates): readonly CatalogueEntry[] =>
  [...templates.values()].map(({ name, description, variables, example }) => ({
    name,
    description,
    variables,
    example,
  }));
