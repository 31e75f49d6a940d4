// The dashboard's own formats are those of Intl in English, which is slow to load.
import { expect, test } from 'vitest';
import { ago, date, dateTime, initial, number, utcDay, utcHour } from '../../web/src/format.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');
const now = Date.UTC(2026, 10, 16, 12, 30, 7);
const times = Array.from({ length: 400 }, (_, i) => now - i * 47 * 3_600_000 - i * 61_000);

test('numbers', () => {
  const whole = new Intl.NumberFormat('en');
  const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  for (const value of [0, 7, 999, 1000, 1001, 12_345, 99_999]) expect(number(value)).toBe(whole.format(value));
  for (const value of [100_000, 123_449, 999_949, 999_950, 1_000_000, 2_340_000, 999_949_999, 999_950_000, 4.2e9])
    expect(number(value)).toBe(compact.format(value));
});

test('days and times', () => {
  const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
  const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
  const inUtc = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  for (const at of times) {
    expect([date(at), dateTime(at)]).toEqual([day.format(at), plain(exact.format(at))]);
    expect(`${utcDay(at)} ${utcHour(at)}`).toBe(`${inUtc.format(at)} ${new Date(at).toISOString().slice(11, 16)}`);
  }
});

test('how long ago, and how soon', () => {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const sign of [-1, 1]) {
    for (const minutes of [1, 2, 59])
      expect(ago(now + sign * minutes * 60_000, now)).toBe(relative.format(sign * minutes, 'minute'));
    for (const hours of [1, 2, 23])
      expect(ago(now + sign * hours * 3_600_000, now)).toBe(relative.format(sign * hours, 'hour'));
    for (const days of [1, 2, 29])
      expect(ago(now + sign * days * 86_400_000, now)).toBe(relative.format(sign * days, 'day'));
  }
  expect(ago(now - 30_000, now)).toBe('just now');
  expect(ago(now - 40 * 86_400_000, now)).toBe('Oct 7, 2026');
});

test('the initial of a name is one whole character', () => {
  const initials = { Ada: 'A', x: 'X', émile: 'É', 'e\u0301mile': 'E\u0301', '👩‍🚀 Ada': '👩‍🚀', '🇳🇴': '🇳🇴', '': '' };
  for (const [name, first] of Object.entries(initials)) expect(initial(name)).toBe(first);
});
