import type { ApiError, VariableBody, VariableView } from '../../api.ts';
import { Field, Input, Textarea } from '../../ui/field.tsx';
import type { Draft } from './draft.ts';

const kinds: Readonly<Record<VariableView['type'], string>> = {
  text: 'text',
  color: 'color',
  image_url: 'image URL',
  items: 'list, one item a line',
};

/** The variables that the text uses: what they are if the caller sends none, in the example, and in the documentation. */
export function VariablesPanel({
  draft,
  error,
  onSay,
  onDescribe,
}: {
  draft: Draft;
  error: ApiError | undefined;
  onSay: (name: string, field: keyof VariableBody, text: string) => void;
  onDescribe: (text: string) => void;
}) {
  return (
    <div className="flex flex-col gap-6">
      <Field label="Description" hint="A sentence for the list of templates." error={errorAt(error, 'description')}>
        {(wiring) => (
          <Input
            {...wiring}
            maxLength={300}
            value={draft.description}
            onChange={(event) => onDescribe(event.target.value)}
          />
        )}
      </Field>
      {draft.variables.length === 0 ? (
        <p className="text-sm text-ink-2">
          No variables yet. Write <code className="font-mono text-xs">{'{{title}}'}</code> in the template, and it
          appears here.
        </p>
      ) : (
        draft.variables.map((variable) => (
          <VariableFields
            key={variable.name}
            variable={variable}
            said={draft.said[variable.name] ?? {}}
            error={error}
            onSay={onSay}
          />
        ))
      )}
    </div>
  );
}

const errorAt = (error: ApiError | undefined, place: string): string | undefined =>
  error?.parameter === place ? error.message : undefined;

function VariableFields({
  variable: { name, type },
  said,
  error,
  onSay,
}: {
  variable: VariableView;
  said: VariableBody;
  error: ApiError | undefined;
  onSay: (name: string, field: keyof VariableBody, text: string) => void;
}) {
  const errorOf = (field: keyof VariableBody) =>
    errorAt(error, `variables.${name}.${field}`) ?? (field === 'example' ? errorAt(error, name) : undefined);
  const input = (field: keyof VariableBody, label: string, hint?: string) => (
    <Field half label={label} hint={hint} error={errorOf(field)}>
      {(wiring) => {
        const shared = {
          ...wiring,
          value: said[field] ?? '',
          'aria-label': `${label} of ${name}`,
          onChange: (event: { target: { value: string } }) => onSay(name, field, event.target.value),
        };
        if (type === 'items' && field !== 'doc') return <Textarea {...shared} rows={3} />;
        if (type !== 'color' || field === 'doc') return <Input {...shared} spellCheck={field === 'doc'} />;
        return (
          <div className="flex gap-2">
            <Input {...shared} spellCheck={false} className="font-mono text-xs" />
            <input
              type="color"
              aria-label={`Choose the ${field} of ${name}`}
              value={/^#[0-9a-f]{6}$/i.test(shared.value) ? shared.value : '#888888'}
              onChange={shared.onChange}
              className="h-8.5 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
            />
          </div>
        );
      }}
    </Field>
  );
  return (
    <fieldset className="border-t pt-4">
      <legend className="float-left mb-3 w-full">
        <code className="font-mono text-sm font-semibold">{name}</code>
        <span className="ml-2 text-xs text-ink-3">{kinds[type]}</span>
      </legend>
      <div className="clear-both grid gap-4 sm:grid-cols-2">
        {type !== 'image_url' && input('default', 'Default', type === 'color' ? 'Black if empty.' : undefined)}
        {input('example', 'Example', type === 'image_url' ? 'An https address, shown in this editor.' : undefined)}
        <div className="col-span-full">{input('doc', 'Description')}</div>
      </div>
    </fieldset>
  );
}
