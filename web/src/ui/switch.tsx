/** A checkbox drawn as a switch. */
export function Switch({
  checked,
  onChange,
  ...rest
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  id?: string;
  name?: string;
  'aria-describedby'?: string | undefined;
}) {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      aria-checked={checked}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="relative h-4.5 w-8 shrink-0 cursor-pointer appearance-none rounded-full bg-ink-3 transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-surface before:transition-transform checked:bg-ink checked:before:translate-x-3.5 disabled:cursor-not-allowed disabled:opacity-50"
    />
  );
}
