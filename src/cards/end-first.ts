import { writeFileSync } from 'node:fs';

/** If memory runs out, this process is the one that the system ends. */
export function endFirstWithoutMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not on Linux.
  }
}
