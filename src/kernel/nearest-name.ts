/** Longer ones are not compared. */
const longestName = 200;

/** The known name that is most similar to a misspelt one, if any is similar enough. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > longestName) return undefined;
  const given = wrong.toLowerCase().replaceAll(/[_-]/g, '');
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.ceil(wrong.length / 3) + 1);
  for (const name of names) {
    const distance = editDistance(given, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return 99;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 99;
}
