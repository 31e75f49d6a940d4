import { expect, it, vi } from 'vitest';
import { newRequestId } from './request-id.ts';

it('ids of requests are unique, and sorted by the time', () => {
  vi.useFakeTimers();
  try {
    const ids: string[] = [];
    for (let ms = 0; ms < 1000; ms++) {
      ids.push(newRequestId());
      vi.advanceTimersByTime(1);
    }
    expect(ids.toSorted()).toEqual(ids);
    const ofOneMoment = Array.from({ length: 5000 }, newRequestId);
    expect(new Set(ofOneMoment).size).toBe(5000);
    for (const id of ofOneMoment) expect(id).toMatch(/^[\w-]{16}$/);
  } finally {
    vi.useRealTimers();
  }
});
