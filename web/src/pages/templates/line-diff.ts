// What changed between two texts, line by line.

export type DiffLine = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

/** Above this, the table of the comparison would be too large; all changed lines are then shown as replaced. */
const mostCells = 4_000_000;

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return [
    ...old.slice(0, start).map(same),
    ...changes(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function changes(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  const width = now.length + 1;
  if ((old.length + 1) * width > mostCells) return [...old.map(removed), ...now.map(added)];
  // common[i * width + j]: how many lines old[i…] and now[j…] have in common.
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const result: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      result.push({ kind: 'same', text: was });
      i++;
      j++;
    } else if (was !== undefined && (is === undefined || at(i + 1, j) >= at(i, j + 1))) {
      result.push(removed(was));
      i++;
    } else if (is !== undefined) {
      result.push(added(is));
      j++;
    }
  }
  return result;
}

/** Three lines around every change; null stands for lines that are left out. */
export function withContext(lines: readonly DiffLine[], around = 3): (DiffLine | null)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same'),
  );
  const result: (DiffLine | null)[] = [];
  for (const [at, line] of lines.entries())
    if (isNear[at]) result.push(line);
    else if (result.at(-1) !== null) result.push(null);
  return result;
}
