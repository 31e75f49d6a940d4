import { type FormEvent, useEffect, useRef } from 'react';
import type { ApiError, ParameterView } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/surface.tsx';
import { Group } from './group.tsx';
import { ParameterField } from './parameter-field.tsx';
import type { Values } from './state.ts';

// The playground uses the session and always shows the metadata.
const notInForm = new Set(['response', 'api_key']);

const groups: readonly { stage: string; title: string; open?: boolean }[] = [
  { stage: 'capture', title: 'Output', open: true },
  { stage: 'viewport', title: 'Viewport', open: true },
  { stage: 'before load', title: 'Before the page loads' },
  { stage: 'after load', title: 'After the page has loaded' },
  { stage: 'answer', title: 'Request' },
];

export function ScreenshotForm({
  parameters,
  values,
  onChange,
  error,
  running,
  onRun,
  onCancel,
}: {
  parameters: readonly ParameterView[];
  values: Values;
  onChange: (name: string, value: string | undefined) => void;
  error: ApiError | undefined;
  running: boolean;
  onRun: () => void;
  onCancel: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const format = values.format ?? parameters.find(({ name }) => name === 'format')?.default;
  const known = parameters.filter(({ name }) => !notInForm.has(name));
  const shown = known.filter(({ onlyFormat }) => onlyFormat === null || onlyFormat === format);
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRun();
  };
  const own = shown.filter(({ onlyFormat }) => onlyFormat !== null);
  return (
    <Panel className="overflow-hidden">
      <form ref={form} onSubmit={submit} noValidate>
        <div className="flex flex-col gap-4 p-5">
          {fields(shown.filter(({ stage }) => stage === 'target'))}
          <FormError>{error && !atFault ? error.message : undefined}</FormError>
          {running ? (
            // With the same key, React would reuse the button and a click on Stop would submit the form.
            <Button key="stop" onClick={onCancel}>
              Stop
            </Button>
          ) : (
            <Button key="capture" type="submit" look="primary" icon="camera">
              Capture
            </Button>
          )}
        </div>
        {own.length > 0 && (
          <Group title="PDF" startOpen faulty={own.some(({ name }) => name === atFault)}>
            {fields(own)}
          </Group>
        )}
        {groups.map(({ stage, title, open }) => {
          const list = shown.filter((parameter) => parameter.stage === stage && parameter.onlyFormat === null);
          if (list.length === 0) return null;
          const count = list.filter(({ name }) => values[name] !== undefined).length;
          return (
            <Group
              key={stage}
              title={title}
              count={count}
              startOpen={open ?? false}
              faulty={list.some(({ name }) => name === atFault)}
            >
              {fields(list)}
            </Group>
          );
        })}
      </form>
    </Panel>
  );
}
