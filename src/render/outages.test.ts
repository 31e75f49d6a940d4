import { describe, expect, it } from 'vitest';
import { createOutages, type OutageNews } from './outages.ts';

const second = 1000;
function opened() {
  let now = 0;
  const sent: OutageNews[] = [];
  const outages = createOutages(
    (news) => void sent.push(news),
    () => now,
  );
  const wait = (ms: number) => {
    now += ms;
  };
  return { outages, sent, wait };
}

describe('a target that failed', () => {
  it('is known for some minutes, and tried again after a while that doubles', () => {
    const { outages, wait } = opened();
    expect([outages.codeOf('k'), outages.isDue('k')]).toEqual([undefined, true]);
    const waits: number[] = [];
    for (let failure = 0; failure < 7; failure++) {
      outages.note('k', 'target_unreachable');
      let waited = 0;
      for (; !outages.isDue('k'); waited++) wait(second);
      waits.push(waited);
      expect(outages.codeOf('k')).toBe('target_unreachable');
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 300, 300]);
    wait(11 * 60 * second);
    expect(outages.codeOf('k')).toBeUndefined();
  });

  it('failed once, however many callers met it', () => {
    const { outages, sent, wait } = opened();
    for (let caller = 0; caller < 50; caller++) outages.note('k', 'render_timeout');
    expect(sent).toEqual([{ key: 'k', code: 'render_timeout' }]);
    wait(15 * second);
    expect(outages.isDue('k')).toBe(true);
  });

  it('is forgotten when it was rendered, on every machine', () => {
    const [one, two] = [opened(), opened()];
    one.outages.note('k', 'blank');
    for (const news of one.sent) two.outages.onMessage(news);
    expect(two.outages.codeOf('k')).toBe('blank');
    one.outages.clear('k');
    one.outages.clear('other');
    expect(one.sent.slice(1)).toEqual([{ key: 'k' }]);
    two.outages.onMessage({ key: 'k' });
    expect([one.outages.codeOf('k'), two.outages.codeOf('k'), two.sent]).toEqual([undefined, undefined, []]);
  });

  it('is remembered among 10,000 at most', () => {
    const { outages } = opened();
    for (let i = 0; i <= 10_000; i++) outages.note(`k${i}`, 'blank');
    expect([outages.codeOf('k0'), outages.codeOf('k1'), outages.codeOf('k10000')]).toEqual([
      undefined,
      'blank',
      'blank',
    ]);
  });
});
