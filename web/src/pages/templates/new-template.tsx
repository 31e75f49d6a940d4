import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, FormError, Input } from '../../ui/field.tsx';
import { Failed } from '../../ui/states.tsx';
import { PageHeader } from '../../ui/surface.tsx';
import { TemplateFileInput } from './file-input.tsx';
import { PlanNote, useHasTemplates } from './plan-note.tsx';

const validName = /^[a-z][a-z0-9-]{0,63}$/;
/** `My Hero.html` becomes `my-hero`. */
const nameOfFile = (file: string): string =>
  file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '')
    .slice(0, 64);

export function Page() {
  return (
    <>
      <PageHeader title="New template" actions={<ButtonLink href="/templates">All templates</ButtonLink>}>
        Give it a name, then choose where to begin.
      </PageHeader>
      {useHasTemplates() ? <Choice /> : <PlanNote />}
    </>
  );
}

function Choice() {
  const [, navigate] = useLocation();
  const own = useQuery({ queryKey: ['own-templates'], queryFn: api.ownTemplates });
  const starters = useQuery({ queryKey: ['starters'], queryFn: api.starters, staleTime: Infinity });
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [wrong, setWrong] = useState<string>();
  const file = useRef<HTMLInputElement>(null);
  const { busy, error, run } = useAction();

  /** What is wrong with a name, if anything is. */
  const check = (value: string) => {
    if (!validName.test(value))
      return 'A name is lower-case letters, digits and hyphens, at most 64, beginning with a letter.';
    return own.data?.templates.some((template) => template.name === value)
      ? `You have a template my/${value} already.`
      : undefined;
  };
  const create = (event: FormEvent) => {
    event.preventDefault();
    const problem = check(name);
    setWrong(problem);
    if (problem === undefined) navigate(`/templates/my/${name}?from=${encodeURIComponent(from)}`);
    else document.querySelector<HTMLElement>('input[name="name"]')?.focus();
  };
  const importFile = (chosen: File) =>
    run(async () => {
      const value = name || nameOfFile(chosen.name);
      setName(value);
      const problem = check(value);
      setWrong(problem);
      if (problem !== undefined) return;
      await api.importTemplate(value, chosen);
      navigate(`/templates/my/${value}`);
    });
  return (
    <form onSubmit={create} noValidate>
      <div className="flex max-w-xl flex-col gap-4">
        <Field
          label="Name"
          error={wrong}
          hint={
            <>
              You ask for it as <code className="font-mono">template=my/{name || 'name'}</code>.
            </>
          }
        >
          {(wiring) => (
            <Input
              {...wiring}
              name="name"
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              value={name}
              onChange={(event) => setName(event.target.value)}
              className="font-mono"
            />
          )}
        </Field>
        <FormError>{error?.message}</FormError>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary">
            Create
          </Button>
          <Button busy={busy} onClick={() => file.current?.click()}>
            Import a file
          </Button>
          <TemplateFileInput handle={file} onChoose={importFile} />
        </div>
      </div>
      {starters.error ? (
        <Failed error={starters.error} retry={() => starters.refetch()} />
      ) : (
        <fieldset className="mt-8">
          <legend className="mb-3 text-sm font-medium">Begin with</legend>
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
            <StarterCard name="" label="Blank" description="A title on white." chosen={from} onChoose={setFrom} />
            {starters.data?.starters.map((starter) => (
              <StarterCard
                key={starter.name}
                name={starter.name}
                label={starter.name}
                description={starter.description}
                chosen={from}
                onChoose={setFrom}
              />
            ))}
          </div>
        </fieldset>
      )}
    </form>
  );
}

function StarterCard({
  name,
  label,
  description,
  chosen,
  onChoose,
}: {
  name: string;
  label: string;
  description: string;
  chosen: string;
  onChoose: (name: string) => void;
}) {
  return (
    <label className="relative flex min-w-0 flex-col rounded-lg p-1.5 has-checked:bg-sunken has-checked:ring-2 has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-ring">
      <input
        type="radio"
        name="from"
        value={name}
        checked={chosen === name}
        onChange={() => onChoose(name)}
        className="absolute inset-0 cursor-pointer appearance-none rounded-lg outline-none"
      />
      <span className="flex aspect-[1200/630] items-center justify-center overflow-hidden rounded-md border bg-surface">
        {name === '' ? (
          <span
            aria-hidden="true"
            className="flex size-full items-center justify-center bg-[white] text-lg font-bold text-[black]"
          >
            A title
          </span>
        ) : (
          <img src={api.starterPicture(name)} width={600} height={315} loading="lazy" alt="" className="size-full" />
        )}
      </span>
      <span className="mt-2 truncate px-0.5 font-mono text-xs font-semibold">{label}</span>
      <span className="line-clamp-2 px-0.5 text-xs text-ink-2">{description}</span>
    </label>
  );
}
