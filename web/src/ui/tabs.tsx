import { type KeyboardEvent, type ReactNode, useId } from 'react';

/** Tabs as the ARIA practices describe them: one stop for the Tab key, arrows between them. */
export function Tabs({
  value,
  onChange,
  label,
  tabs,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
}) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const here = tabs.findIndex((tab) => tab.value === value);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && tabs[(here + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="flex gap-5 overflow-x-auto border-b"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === value}
            aria-controls={`${id}-${tab.value}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="-mb-px border-b-2 border-transparent py-2 text-sm whitespace-nowrap text-ink-2 transition-colors outline-offset-[-2px] hover:text-ink aria-selected:border-ink aria-selected:font-medium aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          id={`${id}-${tab.value}-panel`}
          role="tabpanel"
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== value}
          className="pt-4"
        >
          {tab.value === value && tab.content}
        </div>
      ))}
    </>
  );
}

/** One of a few, side by side: radio buttons, drawn as one control. */
export function Segmented<T extends string>({
  value,
  onChange,
  label,
  options,
}: {
  value: T;
  onChange: (value: T) => void;
  label: string;
  options: readonly { value: T; label: ReactNode }[];
}) {
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-md border bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-7 items-center gap-1.5 rounded-sm px-2.5 text-sm whitespace-nowrap text-ink-2 transition-colors hover:text-ink has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-ring dark:has-checked:bg-line"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
