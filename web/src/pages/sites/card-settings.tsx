// The template of a site's cards, and what fills its variables.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type SitesView, type SiteView } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FormError, Input, Select } from '../../ui/field.tsx';
import { useSettled } from '../../ui/settled.ts';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';
import { previewQuery, SiteCard } from './site-card.tsx';
import { type Filling, type ShownVariable, VariableRow } from './variable-row.tsx';

type Choices = Pick<SitesView, 'parts' | 'templates'>;
type Draft = Pick<SiteView, 'name' | 'description' | 'template' | 'values' | 'mapping'>;

const ownPrefix = 'my/';

export function CardSettings({
  site,
  choices,
  onSaved,
}: {
  site: SiteView;
  choices: Choices;
  onSaved: (site: SiteView) => void;
}) {
  const { name, description, template, values, mapping } = site;
  const [draft, setDraft] = useState<Draft>({ name, description, template, values, mapping });
  const { busy, error, run } = useAction();
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  // A version of an own template, such as my/hero@3, is shown with the variables of the published one.
  const [base = ''] = draft.template.split('@');
  const { variables = [], usual = {} } = choices.templates.find((each) => each.name === base) ?? {};
  const names = new Set(['name', 'description', 'template', ...variables.map((variable) => variable.name)]);
  const errorOf = (field: string) => (error?.parameter === field ? error.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      onSaved(await api.changeSite(site.id, forTemplate(draft, variables)));
      toast('Saved');
    });
  };
  return (
    <Panel>
      <PanelHeader title="Card">
        Each variable of the template is filled by a part of the page, or has the same value on every card.
      </PanelHeader>
      <div className="grid gap-6 px-5 pb-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <form onSubmit={submit} noValidate className="flex min-w-0 flex-col gap-5">
          <div className="grid gap-4 sm:grid-cols-2">
            <TemplateField
              template={draft.template}
              templates={choices.templates}
              error={errorOf('template')}
              onChange={(chosen) => change({ template: chosen })}
            />
            <Field
              label="Name of the site"
              hint="For its own card. Empty: as the home page says it."
              half
              error={errorOf('name')}
            >
              {(wiring) => (
                <Input
                  {...wiring}
                  value={draft.name}
                  maxLength={100}
                  onChange={(event) => change({ name: event.target.value })}
                />
              )}
            </Field>
            <Field
              label="Description of the site"
              hint="For its own card, which stands in for pages that are missing or cannot be read."
              error={errorOf('description')}
            >
              {(wiring) => (
                <Input
                  {...wiring}
                  value={draft.description}
                  maxLength={300}
                  onChange={(event) => change({ description: event.target.value })}
                />
              )}
            </Field>
          </div>
          <fieldset className="min-w-0">
            <legend className="mb-2 text-sm font-medium">Variables</legend>
            <div className="divide-y rounded-md border">
              {variables.map((variable) => (
                <VariableRow
                  key={variable.name}
                  variable={variable}
                  parts={choices.parts}
                  filling={fillingOf(variable.name, draft, usual)}
                  error={errorOf(variable.name)}
                  onChange={(filling) => change(withFilling(draft, variable.name, filling, usual))}
                />
              ))}
            </div>
          </fieldset>
          <FormError>{error && !names.has(error.parameter ?? '') ? error.message : undefined}</FormError>
          <div>
            <Button type="submit" look="primary" busy={busy}>
              Save
            </Button>
          </div>
        </form>
        <Sample site={site} draft={forTemplate(draft, variables)} />
      </div>
    </Panel>
  );
}

/** What the form says, on a page of the site, before it is saved. */
function Sample({ site, draft }: { site: SiteView; draft: Draft }) {
  const preview = useQuery(previewQuery(site));
  const [home = '/', page = home] = preview.data?.paths ?? [];
  const settled = useSettled(JSON.stringify(draft), 400);
  return (
    <div className="order-first min-w-0 xl:order-none">
      <div className="max-w-sm xl:sticky xl:top-6">
        {preview.isPending ? (
          <div className="skeleton aspect-[1200/630] rounded-md" />
        ) : (
          <SiteCard
            path={page}
            version={settled}
            load={(signal) => api.siteSample(site.id, { ...JSON.parse(settled), path: page }, signal)}
          />
        )}
      </div>
    </div>
  );
}

const byName = ' ';

function TemplateField({
  template,
  templates,
  error,
  onChange,
}: {
  template: string;
  templates: Choices['templates'];
  error: string | undefined;
  onChange: (template: string) => void;
}) {
  const [isTyped, setTyped] = useState(!templates.some(({ name }) => name === template));
  const options = (own: boolean) =>
    templates
      .filter(({ name }) => name.startsWith(ownPrefix) === own)
      .map(({ name }) => <option key={name}>{name}</option>);
  return (
    <Field label="Template" half hint={isTyped ? 'my/name, or my/name@3 for one version' : undefined} error={error}>
      {(wiring) => (
        <span className="flex min-w-0 flex-wrap gap-2">
          <Select
            {...wiring}
            className="min-w-36 flex-1"
            value={isTyped ? byName : template}
            onChange={(event) => {
              const chosen = event.target.value;
              setTyped(chosen === byName);
              onChange(chosen === byName ? ownPrefix : chosen);
            }}
          >
            <optgroup label="Built in">{options(false)}</optgroup>
            {templates.some(({ name }) => name.startsWith(ownPrefix)) && (
              <optgroup label="Mine">{options(true)}</optgroup>
            )}
            <option value={byName}>By its name…</option>
          </Select>
          {isTyped && (
            <Input
              aria-label="Name of the template"
              className="min-w-36 flex-1 font-mono text-xs"
              value={template}
              maxLength={100}
              spellCheck={false}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </span>
      )}
    </Field>
  );
}

function fillingOf(name: string, { values, mapping }: Draft, usual: Readonly<Record<string, string>>): Filling {
  const fixed = values[name];
  if (fixed !== undefined) return { by: 'value', value: fixed };
  const part = Object.hasOwn(mapping, name) ? mapping[name] : usual[name];
  return part ? { by: 'part', part } : { by: 'nothing' };
}

function withFilling(
  draft: Draft,
  name: string,
  filling: Filling,
  usual: Readonly<Record<string, string>>,
): Partial<Draft> {
  const { [name]: _value, ...values } = draft.values;
  const { [name]: _part, ...mapping } = draft.mapping;
  if (filling.by === 'value') return { values: { ...values, [name]: filling.value }, mapping };
  const part = filling.by === 'part' ? filling.part : null;
  return { values, mapping: part === (usual[name] ?? null) ? mapping : { ...mapping, [name]: part } };
}

/** Without what the template does not have: another one may use the same name for something else. */
function forTemplate(draft: Draft, variables: readonly ShownVariable[]): Draft {
  const names = new Set(variables.map(({ name }) => name));
  const only = <T,>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
  return { ...draft, values: only(draft.values), mapping: only(draft.mapping) };
}
