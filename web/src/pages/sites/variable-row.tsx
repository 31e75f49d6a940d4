// One variable of the template: a part of the page, a fixed value, or nothing.
import { useId } from 'react';
import type { SitesView, VariableView } from '../../api.ts';
import { Input, Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

export type Filling =
  | { readonly by: 'part'; readonly part: string }
  | { readonly by: 'value'; readonly value: string }
  | { readonly by: 'nothing' };

export type ShownVariable = Pick<VariableView, 'name' | 'type' | 'doc' | 'default'>;

export function VariableRow({
  variable,
  parts,
  filling,
  error,
  onChange,
}: {
  variable: ShownVariable;
  parts: SitesView['parts'];
  filling: Filling;
  error: string | undefined;
  onChange: (filling: Filling) => void;
}) {
  const id = useId();
  const { name, type, doc } = variable;
  const fitting =
    type === 'color' || type === 'items' ? [] : parts.filter(({ isPicture }) => isPicture === (type === 'image_url'));
  const chosen = filling.by === 'part' ? `part:${filling.part}` : filling.by;
  const choose = (text: string) => {
    if (text === 'value') onChange({ by: 'value', value: type === 'color' ? (variable.default ?? '') : '' });
    else onChange(text === 'nothing' ? { by: 'nothing' } : { by: 'part', part: text.slice('part:'.length) });
  };
  return (
    <div className="grid gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
      <div className="min-w-0">
        <span id={`${id}-name`} className="font-mono text-xs font-medium">
          {name}
        </span>
        {doc && (
          <p id={`${id}-doc`} className="text-xs text-ink-3">
            {doc}
          </p>
        )}
      </div>
      <div className="flex min-w-0 flex-wrap items-start gap-2">
        <Select
          aria-labelledby={`${id}-name`}
          aria-describedby={doc ? `${id}-doc` : undefined}
          className="min-w-36 flex-1"
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="nothing">{variable.default ? `Default: ${variable.default}` : 'Nothing'}</option>
          {fitting.map((part) => (
            <option key={part.name} value={`part:${part.name}`}>
              {part.label}
            </option>
          ))}
          <option value="value">The same everywhere…</option>
        </Select>
        {filling.by === 'value' && (
          <FixedValue
            variable={variable}
            value={filling.value}
            invalid={error !== undefined}
            describedBy={error ? `${id}-error` : undefined}
            onChange={(value) => onChange({ by: 'value', value })}
          />
        )}
        {error && (
          <p id={`${id}-error`} role="alert" className="flex basis-full items-start gap-1.5 text-xs text-danger">
            <Icon name="alert" className="mt-px size-3.5" />
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

function FixedValue({
  variable: { name, type },
  value,
  invalid,
  describedBy,
  onChange,
}: {
  variable: ShownVariable;
  value: string;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <span className="flex min-w-36 flex-1 items-center gap-2">
      {type === 'color' && (
        <input
          type="color"
          aria-label={`Pick ${name}`}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
          onChange={(event) => onChange(event.target.value)}
          className="size-8.5 shrink-0 cursor-pointer rounded-md border bg-surface p-1"
        />
      )}
      <Input
        aria-label={`Value of ${name}`}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={value}
        maxLength={2000}
        inputMode={type === 'image_url' ? 'url' : 'text'}
        placeholder={type === 'image_url' ? 'https://example.com/logo.png' : ''}
        spellCheck={false}
        className="min-w-0 flex-1"
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}
