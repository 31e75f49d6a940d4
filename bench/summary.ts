// The end of a run of all benchmarks: every figure beside its goal and beside the last committed result of the same architecture.
import { type FigureName, type Goal, goals, isMet } from './goals.ts';
import { table } from './measure.ts';
import type { Figures } from './report.ts';

/** A figure that got worse by a larger share than this is named below the table. */
const tolerance = 0.1;

const names = Object.keys(goals) as FigureName[];

export function summary(figures: Figures, last: Figures | undefined): string {
  const rows = names.flatMap((name) => {
    const value = figures[name]?.value;
    if (value === undefined) return [];
    const goal: Goal = goals[name];
    const before = last?.[name]?.value;
    return [
      [
        goal.words,
        `${digits(value)} ${goal.unit}`,
        `${goal.direction === 'at most' ? '≤' : '≥'} ${goal.value}`,
        isMet(goal, value) ? 'met' : 'missed',
        before === undefined ? '' : digits(before),
        before === undefined || before <= 0 ? '' : percent(value / before - 1),
      ],
    ];
  });
  const head = ['figure', 'measured', 'goal', '', 'last', 'change'];
  return [table('All figures', head, rows), ...(last === undefined ? [] : comparison(figures, last))].join('\n');
}

function comparison(figures: Figures, last: Figures): string[] {
  const worse = names.filter((name) => gotWorse(goals[name], figures[name]?.value, last[name]?.value));
  const missing = names.filter((name) => last[name] !== undefined && figures[name] === undefined);
  const list = (some: readonly FigureName[]) => some.map((name) => `  ${name}: ${goals[name].words}`);
  return [
    '',
    ...(worse.length > 0
      ? ['Worse than the last result by more than 10 %:', ...list(worse)]
      : ['Nothing got worse by more than 10 %.']),
    ...(missing.length > 0 ? ['In the last result, but not measured now:', ...list(missing)] : []),
  ];
}

export function gotWorse({ direction, noise = 0 }: Goal, value: number | undefined, last: number | undefined): boolean {
  if (value === undefined || last === undefined) return false;
  const loss = direction === 'at most' ? value - last : last - value;
  return loss > Math.max(noise, Math.abs(last) * tolerance);
}

const digits = (value: number): string => (Math.abs(value) < 100 ? value.toPrecision(3) : value.toFixed(0));

const percent = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)} %`;
