// Stacked bars over time. The figures are in a table behind it, for everybody who reads rather than looks.
import { useState } from 'react';
import { number } from '../format.ts';

export type Bar = { readonly at: number; readonly values: readonly number[] };
export type Series = { readonly label: string; readonly color: string };

const height = 220;
/** The line of labels below the bars. */
const labelHeight = 28;
const topSpace = 12;

/** Boxes of the page, and no script that measures: the browser lays them out at any width. */
export function Bars({
  bars,
  series,
  format,
  label,
}: {
  bars: readonly Bar[];
  series: readonly Series[];
  format: (at: number) => string;
  label: string;
}) {
  const [hovered, setHovered] = useState<number>();
  const levels = levelsUpTo(Math.max(1, ...bars.map(({ values }) => sum(values))));
  const most = levels.at(-1) ?? 1;
  const share = (value: number) => `${(100 * value) / most}%`;
  const bar = hovered === undefined ? undefined : bars[hovered];
  return (
    <div className="relative" style={{ height }} onPointerLeave={() => setHovered(undefined)}>
      <div role="img" aria-label={label} className="flex size-full pr-3 text-[11px] leading-none text-ink-3">
        <div className="relative w-11" style={{ marginTop: topSpace, marginBottom: labelHeight }}>
          {levels.map((level) => (
            <span key={level} className="absolute right-2 translate-y-1/2" style={{ bottom: share(level) }}>
              {number(level)}
            </span>
          ))}
        </div>
        <div
          className="relative flex min-w-0 flex-1 items-stretch"
          style={{ marginTop: topSpace, marginBottom: labelHeight }}
        >
          {levels.map((level) => (
            <span key={level} className="absolute inset-x-0 border-t" style={{ bottom: share(level) }} />
          ))}
          {bars.map(({ at, values }, index) => (
            <div
              key={at}
              className="relative flex min-w-0 flex-1 items-end justify-center"
              onPointerEnter={() => setHovered(index)}
            >
              <span
                className="flex w-[72%] max-w-11 flex-col-reverse overflow-hidden rounded-t-[3px]"
                style={{ height: share(sum(values)) }}
              >
                {series.map(({ label: name, color }, which) => (
                  <span key={name} style={{ flex: values[which] ?? 0, background: `var(${color})` }} />
                ))}
              </span>
              <TickLabel text={format(at)} fromEnd={bars.length - 1 - index} count={bars.length} />
            </div>
          ))}
        </div>
      </div>
      {bar && hovered !== undefined && (
        <div
          className="pointer-events-none absolute top-2 z-10 min-w-36 rounded-md bg-surface px-3 py-2 text-xs shadow-pop"
          style={
            hovered > bars.length / 2
              ? { right: `calc((100% - 2.75rem) * ${1 - hovered / bars.length} + 0.75rem)` }
              : { left: `calc(2.75rem + (100% - 2.75rem) * ${(hovered + 1) / bars.length} + 0.75rem)` }
          }
        >
          <p className="mb-1 font-medium">{format(bar.at)}</p>
          {series.map(({ label: name, color }, index) => (
            <p key={name} className="flex items-center gap-2 text-ink-2">
              <span className="size-2 rounded-[2px]" style={{ background: `var(${color})` }} />
              {name}
              <span className="ml-auto pl-4 text-ink tabular-nums">{number(bar.values[index] ?? 0)}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** Under every so many bars, counted from the newest: as many as fit on a phone, and on a wider screen. */
function TickLabel({ text, fromEnd, count }: { text: string; fromEnd: number; count: number }) {
  const isAmong = (most: number) => fromEnd % Math.ceil(count / most) === 0;
  const [onPhone, onWide] = [isAmong(4), isAmong(10)];
  if (!onPhone && !onWide) return null;
  const where = onPhone && onWide ? '' : onPhone ? 'sm:hidden' : 'max-sm:hidden';
  return <span className={`absolute top-full mt-2.5 whitespace-nowrap ${where}`}>{text}</span>;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** From zero to just above the highest bar, in three to five round steps. */
function levelsUpTo(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [0.1, 0.2, 0.25, 0.5, 1, 2].map((factor) => factor * power).filter(Number.isInteger);
  const step = steps.find((size) => most / size <= 4) ?? power;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}
