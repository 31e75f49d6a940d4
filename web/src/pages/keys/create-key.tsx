import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type CreatedKeyView } from '../../api.ts';
import { Checkbox, Field, Input, Select, Textarea } from '../../ui/field.tsx';
import { FormDialog, TextField } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useHasTemplates } from '../templates/plan-note.tsx';
import { CreatedKey } from './created-key.tsx';

const dayMs = 24 * 60 * 60 * 1000;
const expiries: readonly { value: string; label: string }[] = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date…' },
];

/** The fields of the part that is folded at first. */
const limits = ['expiresAt', 'allowedHosts', 'allowedTemplates'];

/** The key stays valid until the end of the chosen day, in local time. Without a date it is a time in the past, which is refused. */
const endOfDay = (date: string): number => new Date(`${date}T23:59:59`).getTime() || 0;

const lines = (text: string): string[] | null => {
  const list = text.split(/[\s,]+/).filter(Boolean);
  return list.length > 0 ? list : null;
};

export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const [created, setCreated] = useState<CreatedKeyView>();
  if (created) return <CreatedKey created={created} onClose={onClose} />;
  return (
    <NewKeyForm
      onClose={onClose}
      onCreated={(view) => {
        setCreated(view);
        onCreated();
      }}
    />
  );
}

function NewKeyForm({ onClose, onCreated }: { onClose: () => void; onCreated: (created: CreatedKeyView) => void }) {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('');
  const [expiryDate, setExpiryDate] = useState('');
  const [hosts, setHosts] = useState('');
  const [templates, setTemplates] = useState<ReadonlySet<string>>(new Set());
  const send = async () =>
    onCreated(
      await api.createKey({
        name,
        expiresAt:
          expiry === '' ? null : expiry === 'date' ? endOfDay(expiryDate) : Date.now() + Number(expiry) * dayMs,
        allowedHosts: lines(hosts),
        allowedTemplates: templates.size > 0 ? [...templates] : null,
      }),
    );
  return (
    <FormDialog
      title="Create a new key"
      description="Name it after what will use it."
      action="Create key"
      onClose={onClose}
      onSend={send}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            error={error?.of('name', 'Name')}
            placeholder="Blog, production"
            maxLength={100}
            value={name}
            onText={setName}
          />
          <details className="group" open={limits.some((field) => error?.of(field, '') !== undefined) || undefined}>
            <summary className="inline-flex list-none items-center gap-1.5 rounded-sm text-sm text-ink-2 hover:text-ink">
              <Icon name="right" className="size-3.5 transition-transform group-open:rotate-90" />
              Limit what this key may do
            </summary>
            <div className="mt-4 flex flex-col gap-4 border-l pl-4">
              <Field label="Expires" error={error?.of('expiresAt', 'Expires')}>
                {(wiring) => (
                  <div className="flex gap-2">
                    <Select
                      {...wiring}
                      className="flex-1"
                      value={expiry}
                      onChange={(event) => setExpiry(event.target.value)}
                    >
                      {expiries.map(({ value, label }) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </Select>
                    {expiry === 'date' && (
                      <Input
                        type="date"
                        aria-label="Expiry date"
                        className="flex-1"
                        required
                        value={expiryDate}
                        min={new Date().toISOString().slice(0, 10)}
                        onChange={(event) => setExpiryDate(event.target.value)}
                      />
                    )}
                  </div>
                )}
              </Field>
              <Field
                label="Allowed hosts"
                hint="One on each line. *.example.com includes subdomains. Leave empty to allow every public host."
                error={error?.of('allowedHosts', 'Allowed hosts')}
              >
                {(wiring) => (
                  <Textarea
                    {...wiring}
                    rows={2}
                    value={hosts}
                    onChange={(event) => setHosts(event.target.value)}
                    placeholder="example.com"
                    className="font-mono text-xs"
                    spellCheck={false}
                  />
                )}
              </Field>
              <TemplateChoice
                chosen={templates}
                onChange={setTemplates}
                error={error?.of('allowedTemplates', 'Allowed templates')}
              />
            </div>
          </details>
        </>
      )}
    </FormDialog>
  );
}

function TemplateChoice({
  chosen,
  onChange,
  error,
}: {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  error: string | undefined;
}) {
  const templates = useQuery({ queryKey: ['templates'], queryFn: api.templates, staleTime: Infinity });
  const own = useQuery({ queryKey: ['own-templates'], queryFn: api.ownTemplates, enabled: useHasTemplates() });
  const names = [
    ...(own.data?.templates.map(({ name }) => `my/${name}`) ?? []),
    ...(templates.data?.templates.map(({ name }) => name) ?? []),
  ];
  return (
    <fieldset>
      <legend className="text-sm font-medium">Allowed templates</legend>
      <p className="mt-1 text-xs text-ink-3">Select none to allow all.</p>
      <div className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1.5">
        {names.map((name) => (
          <Checkbox
            key={name}
            className="font-mono text-xs"
            checked={chosen.has(name)}
            onChange={(event) => {
              const next = new Set(chosen);
              if (event.target.checked) next.add(name);
              else next.delete(name);
              onChange(next);
            }}
          >
            {name}
          </Checkbox>
        ))}
      </div>
      {error && <p className="mt-1 text-xs text-danger">{error}</p>}
    </fieldset>
  );
}
