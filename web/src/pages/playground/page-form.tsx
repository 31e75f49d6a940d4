import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ApiError, ParameterView } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { useSteps } from '../../ui/steps.ts';
import { Panel } from '../../ui/surface.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { Group } from './group.tsx';
import { ParameterField } from './parameter-field.tsx';
import type { Values } from './state.ts';

// The playground uses the session and always shows the metadata.
const notInForm = new Set(['response', 'api_key']);

const openGroups = new Set(['PDF', 'Output', 'Viewport']);

/** The parameters of which exactly one is given: what is captured. */
const sources = [
  { value: 'url', label: 'Web page' },
  { value: 'html', label: 'HTML' },
  { value: 'markdown', label: 'Markdown' },
] as const;
type Source = (typeof sources)[number]['value'];

/** The form of a screenshot or of a text. */
export function PageForm({
  groups,
  parameters,
  action,
  values,
  onChange,
  onReplace,
  error,
  running,
  onRun,
  onCancel,
}: {
  groups: readonly string[];
  parameters: readonly ParameterView[];
  /** What the button does. */
  action: string;
  values: Values;
  onChange: (name: string, value: string | undefined) => void;
  onReplace: (values: Values) => void;
  error: ApiError | undefined;
  running: boolean;
  onRun: () => void;
  onCancel: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const { source, target, choose } = useSource(values, onReplace);
  const format = values.format ?? parameters.find(({ name }) => name === 'format')?.default;
  const known = parameters.filter(
    ({ name, group }) => !notInForm.has(name) && (group !== groups[0] || target.includes(name)),
  );
  // A value that is left from another format may be what is wrong.
  const shown = known.filter(
    ({ name, onlyFormat }) => onlyFormat === null || onlyFormat === format || name === error?.parameter,
  );
  const atFault = shown.some(({ name }) => name === error?.parameter) ? error?.parameter : undefined;
  const fields = (list: readonly ParameterView[]) =>
    list.map((parameter) => (
      <ParameterField
        key={parameter.name}
        parameter={parameter}
        value={values[parameter.name]}
        onChange={(value) => onChange(parameter.name, value)}
        error={atFault === parameter.name ? error?.message : undefined}
      />
    ));
  // The field that the error names gets the focus, so that a screen reader reads the error there.
  useEffect(() => {
    if (atFault) form.current?.querySelector<HTMLElement>(`[name="${atFault}"], #flag-${atFault}`)?.focus();
  }, [atFault]);
  const filled = useSteps(groups.length, 2);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRun();
  };
  return (
    <Panel className="overflow-hidden">
      <form ref={form} onSubmit={submit} noValidate>
        <div className="flex flex-col gap-4 p-5">
          <Segmented
            label={groups[0] ?? ''}
            value={source}
            onChange={choose}
            options={sources.filter(({ value }) => parameters.some(({ name }) => name === value))}
          />
          {fields(shown.filter(({ group }) => group === groups[0]))}
          <FormError>{error && !atFault ? error.message : undefined}</FormError>
          {running ? (
            // With the same key, Preact would reuse the button and a click on Stop would submit the form.
            <Button key="stop" onClick={onCancel}>
              Stop
            </Button>
          ) : (
            <Button key="capture" type="submit" look="primary" icon="camera">
              {action}
            </Button>
          )}
        </div>
        {groups.slice(1).map((title, index) => {
          const list = shown.filter(({ group }) => group === title);
          if (list.length === 0) return null;
          const count = list.filter(({ name }) => values[name] !== undefined).length;
          return (
            <Group
              key={title}
              title={title}
              count={count}
              startOpen={openGroups.has(title)}
              faulty={list.some(({ name }) => name === atFault)}
            >
              {index < filled && fields(list)}
            </Group>
          );
        })}
      </form>
    </Panel>
  );
}

/** What is captured, and its parameters. The values of the sources that are not chosen come back when they are. */
function useSource(values: Values, onReplace: (values: Values) => void) {
  const [chosen, setChosen] = useState<Source>();
  const left = useRef<Values>({});
  const given = sources.find(({ value }) => values[value] !== undefined)?.value;
  const source = given ?? chosen ?? 'url';
  const targetOf = (one: Source) => (one === 'url' ? ['url'] : [one, 'baseUrl']);
  const choose = (next: Source) => {
    const isOfAny = (name: string) => sources.some(({ value }) => targetOf(value).includes(name));
    const entries = Object.entries(values);
    left.current = { ...left.current, ...Object.fromEntries(entries.filter(([name]) => isOfAny(name))) };
    const back = Object.entries(left.current).filter(([name]) => targetOf(next).includes(name));
    setChosen(next);
    onReplace(Object.fromEntries([...back, ...entries.filter(([name]) => !isOfAny(name))]));
  };
  return { source, target: targetOf(source), choose };
}
