// One range of a result's bytes (RFC 9110): PDF viewers load the pages they show, and a broken download goes on.

export type ByteRange = { readonly start: number; readonly end: number };

/**
 * The range that a request asks for, `end` included. Undefined means all of it: several ranges and other units are ignored, as
 * the standard allows, and so is a range of another version (If-Range).
 */
export function rangeOf(
  {
    range,
    'if-range': ifRange,
  }: { readonly range?: string | undefined; readonly 'if-range'?: string | string[] | undefined },
  etag: string,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '');
  if (match === null || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start > end || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { start, end };
}
