import { describe, expect, it } from 'vitest';
import { readPageRanges } from './page-ranges.ts';

describe('page ranges', () => {
  it.each([
    ['3', '3', 1, 3],
    ['1-3,5', '1-3,5', 4, 5],
    ['5,1-3', '1-3,5', 4, 5],
    ['1-3,2-4,4', '1-4', 4, 4],
    ['1,2,3', '1-3', 3, 3],
    ['2-9,4-5,11', '2-9,11', 9, 11],
  ])('%s are %s: %i pages up to %i', (text, ordered, pages, last) => {
    expect(readPageRanges(text)).toEqual({ text: ordered, pages, last });
  });
});
