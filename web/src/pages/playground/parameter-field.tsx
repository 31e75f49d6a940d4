// A form field for a parameter: its kind selects the control, its plan the lock.
import type { ParameterView } from '../../api.ts';
import { planAtLeast, useAccount, useSession } from '../../session.tsx';
import { Field, Input, Select, Textarea } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/surface.tsx';
import { Switch } from '../../ui/switch.tsx';

type Props = {
  parameter: ParameterView;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  error: string | undefined;
};

/** The lowest plan that includes this parameter, if the account's plan does not. */
function useLock(parameter: Pick<ParameterView, 'plan'>): string | undefined {
  const account = useAccount();
  const { plans } = useSession();
  if (parameter.plan === null || planAtLeast(account.plan, parameter.plan)) return undefined;
  return plans.find(({ name }) => name === parameter.plan)?.label;
}

/** A value that came with a link can be removed. */
const isLocked = (lock: string | undefined, value: string | undefined): boolean =>
  lock !== undefined && value === undefined;

const Lock = ({ plan }: { plan: string }) => (
  <Badge tone="accent">
    <Icon name="lock" className="size-3" />
    <span>
      {plan}
      <span className="sr-only"> plan needed</span>
    </span>
  </Badge>
);

/** Numbers and choices are two in a row, unless their description is long. */
const isShort = ({ input, doc }: ParameterView): boolean =>
  (input === 'number' || input === 'select') && doc.length < 45;

export function ParameterField({ parameter, value, onChange, error }: Props) {
  const lock = useLock(parameter);
  if (parameter.input === 'checkbox')
    return <FlagField parameter={parameter} value={value} onChange={onChange} error={error} />;
  return (
    <Field
      half={isShort(parameter)}
      label={<code className="font-mono text-xs">{parameter.name}</code>}
      hint={parameter.doc}
      error={error}
      aside={lock && <Lock plan={lock} />}
    >
      {(wiring) => <Control {...{ parameter, value, onChange, wiring }} disabled={isLocked(lock, value)} />}
    </Field>
  );
}

function Control({
  parameter,
  value,
  onChange,
  wiring,
  disabled,
}: Omit<Props, 'error'> & { wiring: object; disabled: boolean }) {
  const shared = { ...wiring, disabled, name: parameter.name };
  const set = (text: string) => onChange(text === '' || text === parameter.default ? undefined : text);
  if (parameter.options !== null)
    return (
      <Select
        {...shared}
        className="w-full"
        value={value ?? parameter.default ?? ''}
        onChange={(event) => set(event.target.value)}
      >
        {parameter.default === null && <option value="">none</option>}
        {parameter.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Select>
    );
  if (parameter.input === 'code')
    return (
      <Textarea
        {...shared}
        value={value ?? ''}
        onChange={(event) => set(event.target.value)}
        placeholder={parameter.example ?? ''}
        rows={parameter.notInUrl !== null && !parameter.isSecret ? 10 : 3}
        // Browsers would keep a secret beyond the page.
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-xs"
      />
    );
  return (
    <Input
      {...shared}
      value={value ?? ''}
      onChange={({ target: { value: text }, nativeEvent }) => set(isPaste(nativeEvent) ? text.trim() : text)}
      inputMode={parameter.input === 'number' ? 'decimal' : parameter.input === 'url' ? 'url' : 'text'}
      placeholder={parameter.default ?? parameter.example ?? ''}
      required={parameter.required}
      autoComplete="off"
      spellCheck={false}
      className={parameter.input === 'number' ? 'tabular-nums' : ''}
    />
  );
}

/** What is copied often has white space around it, which cannot be seen in a field. */
const isPaste = (event: Event): boolean => (event as InputEvent).inputType === 'insertFromPaste';

function FlagField({ parameter, value, onChange, error }: Props) {
  const lock = useLock(parameter);
  const id = `flag-${parameter.name}`;
  return (
    <div className="col-span-full flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="flex items-center gap-2 text-sm font-medium">
          <code className="font-mono text-xs">{parameter.name}</code>
          {lock && <Lock plan={lock} />}
        </label>
        <p
          id={`${id}-note`}
          className={`mt-0.5 text-xs ${error ? 'text-danger' : 'text-ink-3'}`}
          role={error ? 'alert' : undefined}
        >
          {error ?? parameter.doc}
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-note`}
        checked={(value ?? parameter.default) === 'true'}
        disabled={isLocked(lock, value)}
        onChange={(checked) => onChange(String(checked) === parameter.default ? undefined : String(checked))}
      />
    </div>
  );
}
