import { useEffect, useState } from 'react';

/** How much of a long list to show: it grows by a step after each paint, so that no step holds up a phone. */
export function useSteps(total: number, step: number): number {
  const [shown, setShown] = useState(step);
  useEffect(() => {
    if (shown >= total) return;
    const timer = setTimeout(() => setShown(shown + step));
    return () => clearTimeout(timer);
  }, [shown, total, step]);
  return Math.min(shown, total);
}
