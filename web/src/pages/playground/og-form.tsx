import { type FormEvent, useEffect, useRef } from 'react';
import type { ApiError, ParametersView, VariableView } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FormError, Input, Select, Textarea } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/surface.tsx';
import { Group } from './group.tsx';
import { ParameterField } from './parameter-field.tsx';
import type { Values } from './state.ts';
import { useTemplates } from './templates.ts';

const notInForm = new Set(['response', 'api_key', 'template']);

export function OgForm({
  parameters,
  values,
  onChange,
  onReplace,
  error,
  locked,
  onRun,
}: {
  parameters: ParametersView;
  values: Values;
  onChange: (name: string, value: string | undefined) => void;
  onReplace: (values: Values) => void;
  error: ApiError | undefined;
  locked: boolean;
  onRun: () => void;
}) {
  const { gates, plans } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const { names: templates, template } = useTemplates(parameters.templates, values.template, locked);
  const canvas = parameters.og.filter(({ name }) => !notInForm.has(name));
  const variables = template?.variables ?? [];
  const names = new Set(['template', ...variables.map(({ name }) => name), ...canvas.map(({ name }) => name)]);
  const atFault = error?.parameter && names.has(error.parameter) ? error.parameter : undefined;
  const errorOf = (name: string) => (atFault === name ? error?.message : undefined);
  useEffect(() => {
    // Cards are rendered while the user types, so move the focus only if no field has it.
    if (atFault && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>(`[name="${atFault}"]`)?.focus();
  }, [atFault]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRun();
  };
  const planLabel = plans.find(({ name }) => name === gates.og)?.label;
  return (
    <Panel className="overflow-hidden">
      {locked && (
        <p className="flex items-start gap-2 border-b bg-accent-soft px-5 py-3 text-sm text-accent">
          <Icon name="lock" className="mt-0.5" />
          Open Graph images need the {planLabel} plan. The picture shows the template’s example.
        </p>
      )}
      <form ref={form} onSubmit={submit} noValidate>
        <fieldset disabled={locked} className="min-w-0">
          <legend className="sr-only">Open Graph image</legend>
          <div className="flex flex-col gap-4 p-5">
            <Field
              label={<code className="font-mono text-xs">template</code>}
              hint={template?.description}
              error={errorOf('template')}
              aside={
                template && (
                  <Button
                    size="sm"
                    look="quiet"
                    className="-my-1.5"
                    onClick={() => onReplace({ template: template.name, ...template.example })}
                  >
                    Use the example
                  </Button>
                )
              }
            >
              {(wiring) => (
                <Select
                  {...wiring}
                  name="template"
                  className="w-full"
                  value={values.template ?? ''}
                  onChange={(event) => onChange('template', event.target.value)}
                >
                  {!templates.includes(values.template ?? '') && (
                    <option value={values.template ?? ''}>{values.template || 'Choose a template'}</option>
                  )}
                  {templates.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </Select>
              )}
            </Field>
            <FormError>{error && !atFault ? error.message : undefined}</FormError>
            <Button type="submit" look="primary" disabled={locked}>
              Render
            </Button>
          </div>
          <Group title="Variables" startOpen faulty={variables.some(({ name }) => name === atFault)}>
            {variables.map((variable) => (
              <VariableField
                key={variable.name}
                variable={variable}
                value={values[variable.name]}
                onChange={(value) => onChange(variable.name, value)}
                error={errorOf(variable.name)}
              />
            ))}
          </Group>
          <Group title="Canvas" startOpen faulty={canvas.some(({ name }) => name === atFault)}>
            {canvas.map((parameter) => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                value={values[parameter.name]}
                onChange={(value) => onChange(parameter.name, value)}
                error={errorOf(parameter.name)}
              />
            ))}
          </Group>
        </fieldset>
      </form>
    </Panel>
  );
}

function VariableField({
  variable,
  value,
  onChange,
  error,
}: {
  variable: VariableView;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  error: string | undefined;
}) {
  const set = (text: string) => onChange(text === '' ? undefined : text);
  return (
    <Field
      half={variable.type === 'color'}
      label={<code className="font-mono text-xs">{variable.name}</code>}
      hint={variable.doc}
      error={error}
      aside={<span className="text-xs text-ink-3">{variable.type}</span>}
    >
      {(wiring) => {
        const shared = { ...wiring, name: variable.name, value: value ?? '', placeholder: variable.default ?? '' };
        if (variable.type === 'items')
          return <Textarea {...shared} rows={4} onChange={(event) => set(event.target.value)} />;
        if (variable.type === 'color')
          return (
            <div className="flex gap-2">
              <Input
                {...shared}
                spellCheck={false}
                onChange={(event) => set(event.target.value)}
                className="font-mono text-xs"
              />
              <input
                type="color"
                aria-label={`Choose ${variable.name}`}
                value={
                  /^#[0-9a-f]{6}$/i.test(value ?? variable.default ?? '')
                    ? (value ?? variable.default ?? '')
                    : '#888888'
                }
                onChange={(event) => set(event.target.value)}
                className="h-8.5 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
              />
            </div>
          );
        return (
          <Input
            {...shared}
            inputMode={variable.type === 'image_url' ? 'url' : 'text'}
            onChange={(event) => set(event.target.value)}
          />
        );
      }}
    </Field>
  );
}
