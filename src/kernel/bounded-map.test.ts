import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  it('drops the entry that was set longest ago', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 4);
    map.set('c', 3);
    expect([...map.entries()]).toEqual([
      ['a', 4],
      ['c', 3],
    ]);
  });

  it('is bounded by weight, and counts a replaced or deleted entry no more', () => {
    const map = new BoundedMap<string, string>(10, (text) => text.length);
    map.set('a', 'xxxxxx');
    map.set('a', 'xxx');
    map.set('b', 'xxxxxxx');
    expect([map.size, map.weight]).toEqual([2, 10]);
    expect([map.delete('a'), map.delete('a'), map.weight]).toEqual([true, false, 7]);
    map.set('c', 'xxxx');
    expect([...map.values()]).toEqual(['xxxx']);
    map.clear();
    expect([map.size, map.weight]).toEqual([0, 0]);
  });
});
