// The progress of a batch in one line of a terminal, however narrow it is.

export type ProgressFacts = {
  /** Lines that ended, in this run or an earlier one. */
  readonly ended: number;
  /** Unknown for standard input. */
  readonly total: number | undefined;
  readonly failed: number;
  /** Lines that ended in this run. */
  readonly inThisRun: number;
  readonly elapsedMs: number;
};

const narrowestBar = 10;
const widestBar = 40;

/** At most `columns - 1` characters: a full row would move the cursor to the next one. */
export function progressLine(facts: ProgressFacts, columns: number): string {
  const width = Math.max(0, columns - 1);
  const parts = partsOf(facts);
  // The last parts matter least.
  while (parts.length > 1 && parts.join('  ').length > width) parts.pop();
  const text = parts.join('  ').slice(0, width);
  const room = Math.min(widestBar + 2, width - text.length - 2);
  if (facts.total === undefined || room < narrowestBar + 2) return text;
  return `${bar(facts.ended, facts.total, room - 2)}  ${text}`;
}

function partsOf({ ended, total, failed, inThisRun, elapsedMs }: ProgressFacts): string[] {
  const perSecond = elapsedMs > 0 ? (inThisRun * 1000) / elapsedMs : 0;
  const left = total === undefined ? undefined : Math.max(0, total - ended);
  const parts = [total === undefined ? `${ended} done` : `${ended}/${total}`, `${failed} failed`];
  if (perSecond > 0) {
    parts.push(perSecond >= 0.1 ? `${perSecond.toFixed(1)}/s` : `${(perSecond * 60).toFixed(1)}/min`);
    if (left !== undefined && left > 0) parts.push(`${duration(left / perSecond)} left`);
  }
  return parts;
}

function bar(ended: number, total: number, width: number): string {
  const filled = Math.min(width, Math.floor((total === 0 ? 1 : ended / total) * width));
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
