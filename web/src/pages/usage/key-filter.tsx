import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, type KeyView } from '../../api.ts';
import { Input, Select } from '../../ui/field.tsx';

/** A longer list is slow to draw and to look through: it is searched. */
const mostInList = 50;
const mostSuggested = 20;

const labelOf = ({ name, status }: KeyView) => name + (status === 'revoked' ? ' (revoked)' : '');

/** Chooses the key whose usage is shown; '' stands for all of them. */
export function KeyFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data, isPending } = useQuery({ queryKey: ['keys'], queryFn: api.keys });
  // Whether it is a list or a search is known with the keys.
  if (isPending) return <span className="skeleton h-9 w-44" />;
  const keys = data?.keys ?? [];
  if (keys.length > mostInList) return <KeySearch keys={keys} value={value} onChange={onChange} />;
  return (
    <Select aria-label="Key" className="w-44" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">All keys</option>
      <option value="playground">Playground</option>
      {keys.map((key) => (
        <option key={key.id} value={key.id}>
          {labelOf(key)}
        </option>
      ))}
      {value !== '' && value !== 'playground' && keys.every(({ id }) => id !== value) && (
        <option value={value}>Unknown key</option>
      )}
    </Select>
  );
}

function KeySearch({
  keys,
  value,
  onChange,
}: {
  keys: readonly KeyView[];
  value: string;
  onChange: (id: string) => void;
}) {
  const list = useId();
  const choices = [
    { id: 'playground', label: 'Playground' },
    // Two keys may have one name.
    ...keys.map((key) => ({ id: key.id, label: `${labelOf(key)} ${key.first}…${key.last}` })),
  ];
  const [text, setText] = useState(() => choices.find(({ id }) => id === value)?.label ?? '');
  const wanted = text.trim().toLowerCase();
  const suggested = choices.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, mostSuggested);
  const change = (next: string) => {
    setText(next);
    const chosen = choices.find(({ label }) => label === next);
    if (chosen !== undefined) onChange(chosen.id);
    else if (value !== '') onChange('');
  };
  return (
    <>
      <Input
        type="search"
        aria-label="Key"
        placeholder="All keys"
        className="w-56"
        list={list}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && suggested[0] !== undefined && wanted !== '') change(suggested[0].label);
        }}
      />
      <datalist id={list}>
        {suggested.map(({ id, label }) => (
          <option key={id} value={label} />
        ))}
      </datalist>
    </>
  );
}
