// Stacked bars over time, on uPlot. The figures are in a table behind it, for everybody who reads rather
// than looks.
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { number } from '../format.ts';
import { usePainted } from './theme.ts';

export type Bar = { readonly at: number; readonly values: readonly number[] };
export type Series = { readonly label: string; readonly color: string };

const height = 220;

/** uPlot does not stack: each series is drawn from zero to its running sum, the highest first. */
function stacked(bars: readonly Bar[], count: number): uPlot.AlignedData {
  const columns: number[][] = Array.from({ length: count }, () => []);
  for (const { values } of bars) {
    let sum = 0;
    for (let series = 0; series < count; series++) {
      sum += values[series] ?? 0;
      columns[count - 1 - series]?.push(sum);
    }
  }
  return [bars.map(({ at }) => at / 1000), ...columns];
}

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
  const box = useRef<HTMLDivElement>(null);
  const painted = usePainted();
  const [hovered, setHovered] = useState<{ index: number; left: number; width: number }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `painted` is the theme, whose colours are read from CSS.
  useEffect(() => {
    const target = box.current;
    if (!target) return;
    const style = getComputedStyle(document.documentElement);
    const css = (name: string) => style.getPropertyValue(name).trim();
    const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
    const levels = levelsUpTo(most);
    const axis: uPlot.Axis = {
      stroke: css('--ink-3'),
      font: '11px "Inter Variable", sans-serif',
      ticks: { show: false },
      grid: { show: false },
    };
    const plot = new uPlot(
      {
        width: target.clientWidth,
        height,
        padding: [12, 18, 0, 0],
        legend: { show: false },
        cursor: { y: false, x: false, points: { show: false }, drag: { x: false, y: false } },
        scales: { x: { time: false, range: padded }, y: { range: [0, levels.at(-1) ?? 1] } },
        axes: [
          {
            ...axis,
            size: 28,
            gap: 8,
            space: 72,
            splits: () => ticks(bars, target.clientWidth),
            values: (_, at) => at.map((second) => format(second * 1000)),
          },
          {
            ...axis,
            size: 44,
            splits: () => levels,
            grid: { show: true, stroke: css('--line'), width: 1 },
            values: (_, values) => values.map(number),
          },
        ],
        series: [
          {},
          ...[...series].reverse().map(({ label: name, color }) => ({
            label: name,
            fill: css(color),
            stroke: css(color),
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars?.({ size: [0.72, 44], radius: 0.12 }),
          })),
        ],
        hooks: {
          setCursor: [
            (self) => {
              const index = self.cursor.idx;
              const at = index == null ? undefined : self.data[0][index];
              if (index == null || at === undefined || (self.cursor.left ?? -1) < 0) return setHovered(undefined);
              setHovered({
                index,
                left: self.valToPos(at, 'x') + self.bbox.left / devicePixelRatio,
                width: target.clientWidth,
              });
            },
          ],
        },
      },
      stacked(bars, series.length),
      target,
    );
    const watch = new ResizeObserver(() => {
      if (target.clientWidth > 0) plot.setSize({ width: target.clientWidth, height });
    });
    watch.observe(target);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [bars, series, format, painted]);

  const bar = hovered && bars[hovered.index];
  return (
    <div className="relative">
      <div ref={box} role="img" aria-label={label} style={{ height }} />
      {hovered && bar && (
        <div
          className="pointer-events-none absolute top-2 z-10 min-w-36 rounded-md bg-surface px-3 py-2 text-xs shadow-pop"
          style={
            hovered.left > hovered.width / 2
              ? { right: hovered.width - hovered.left + 12 }
              : { left: hovered.left + 12 }
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

// Room for half a bar at both ends.
const padded = (plot: uPlot, min: number, max: number): [number, number] => {
  const count = plot.data[0].length;
  const half = count > 1 ? (max - min) / (count - 1) / 2 : 1800;
  return [min - half, max + half];
};

/** From zero to just above the highest bar, in three to five round steps. */
function levelsUpTo(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [0.1, 0.2, 0.25, 0.5, 1, 2].map((factor) => factor * power).filter(Number.isInteger);
  const step = steps.find((size) => most / size <= 4) ?? power;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

/** Labels under every so many bars, counted from the newest, as many as fit. */
function ticks(bars: readonly Bar[], width: number): number[] {
  const every = Math.max(1, Math.ceil(bars.length / Math.max(2, Math.floor(width / 84))));
  return bars.filter((_, index) => (bars.length - 1 - index) % every === 0).map(({ at }) => at / 1000);
}
