// What both fetchers read of a response.
import type { Dispatcher } from 'undici';

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The first value of a header. */
export function header(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
