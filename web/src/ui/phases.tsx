import { ms } from '../format.ts';

const labels: Readonly<Record<string, string>> = {
  start: 'Accept',
  cache: 'Cache',
  dns: 'Name lookup',
  queue: 'Queue',
  load: 'Load',
  settle: 'Settle',
  render: 'Render',
  capture: 'Capture',
  print: 'Print',
  encode: 'Encode',
  store: 'Store',
};

export const phaseLabel = (name: string): string =>
  labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ');

/** The phases of a render, in order. */
export function Phases({ phases }: { phases: Readonly<Record<string, number>> }) {
  const steps = Object.entries(phases).filter(([, time]) => time >= 0.5);
  const total = Math.max(
    1,
    steps.reduce((sum, [, time]) => sum + time, 0),
  );
  if (steps.length === 0) return <p className="text-xs text-ink-2">Less than a millisecond.</p>;
  let before = 0;
  return (
    <ol className="flex flex-col gap-1 text-xs">
      {steps.map(([name, time]) => {
        const left = before / total;
        before += time;
        return (
          <li key={name} className="grid grid-cols-[6.5rem_1fr_4rem] items-center gap-3">
            <span className="truncate text-ink-2">{phaseLabel(name)}</span>
            <span aria-hidden="true" className="relative h-1.5 rounded-full bg-line">
              <span
                className="absolute inset-y-0 rounded-full bg-phase"
                style={{ left: `${left * 100}%`, width: `max(${(time / total) * 100}%, 3px)` }}
              />
            </span>
            <span className="text-right text-ink-2 tabular-nums">{ms(time)}</span>
          </li>
        );
      })}
    </ol>
  );
}
