// Formats numbers, times and sizes, in English like the interface. Not with Intl: each of its objects takes a phone tens of
// milliseconds to create.
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** 12,345; and 123.5K, 2M or 1B, where more digits say no more. */
export function number(value: number): string {
  const short = [
    { from: 999_950_000, unit: 1e9, letter: 'B' },
    { from: 999_950, unit: 1e6, letter: 'M' },
    { from: 100_000, unit: 1000, letter: 'K' },
  ].find(({ from }) => value >= from);
  if (short) return Number((value / short.unit).toFixed(1)) + short.letter;
  const digits = String(value);
  return value < 1000 ? digits : `${digits.slice(0, -3)},${digits.slice(-3)}`;
}

/** The first letter or emoji of a name, in capitals. */
export function initial(name: string): string {
  // Two plain characters are two letters, as in most names.
  const first = /^[ -~]([ -~]|$)/.test(name) ? name.slice(0, 1) : firstGrapheme(name);
  return first.toUpperCase();
}

const firstGrapheme = (text: string): string => {
  for (const { segment } of new Intl.Segmenter().segment(text)) return segment;
  return '';
};

/** Nov 16, 2026 */
export function date(at: number): string {
  const time = new Date(at);
  return `${months[time.getMonth()]} ${time.getDate()}, ${time.getFullYear()}`;
}

/** Nov 16, 2026, 1:05:09 PM */
export function dateTime(at: number): string {
  const time = new Date(at);
  const hours = time.getHours();
  const clock = [hours % 12 || 12, twoDigits(time.getMinutes()), twoDigits(time.getSeconds())].join(':');
  return `${date(at)}, ${clock} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Nov 16 */
export function utcDay(at: number): string {
  const time = new Date(at);
  return `${months[time.getUTCMonth()]} ${time.getUTCDate()}`;
}

/** 13:00 */
export function utcHour(at: number): string {
  const time = new Date(at);
  return `${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}`;
}

export function ago(at: number, now = Date.now()): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (Math.abs(minutes) < 60) return relative(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  if (Math.abs(hours) < 24) return relative(hours, 'hour');
  const days = Math.round(hours / 24);
  if (days === -1) return 'yesterday';
  if (days === 1) return 'tomorrow';
  return Math.abs(days) < 30 ? relative(days, 'day') : date(at);
}

const relative = (count: number, unit: string): string =>
  count < 0 ? `${plural(-count, unit)} ago` : `in ${plural(count, unit)}`;

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export const ms = (value: number): string =>
  value < 10
    ? `${Math.max(0, value).toFixed(1)} ms`
    : value < 10_000
      ? `${number(Math.round(value))} ms`
      : `${(value / 1000).toFixed(1)} s`;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

export function duration(value: number): string {
  const minutes = Math.floor(value / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return plural(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}
