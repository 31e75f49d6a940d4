// The text of a page from its bytes, by the charset that the page or its server names.

/** Their bytes may look like UTF-8. */
const sevenBits = /^(?:utf-?16|utf-?7|iso-2022|hz-)/i;
/** Where HTML says that the charset must stand, and some more. */
const headBytes = 4096;

export function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = byteOrderMark(bytes) ?? charsetIn(contentType) ?? charsetIn(headOf(bytes)) ?? 'utf-8';
  // Many servers name a charset that their pages do not have. Text that is valid UTF-8 by accident is practically unknown.
  const unicode = sevenBits.test(label) ? undefined : decode(bytes, 'utf-8', true);
  return (
    unicode ?? decode(bytes, /^utf-?8$/i.test(label) ? 'windows-1252' : label) ?? decode(bytes, 'windows-1252') ?? ''
  );
}

function byteOrderMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return undefined;
}

const headOf = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes.subarray(0, headBytes));

const charsetIn = (text: string): string | undefined =>
  /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w-]{2,40})/i.exec(text)?.[1];

/** Undefined for a label that nobody knows. A character that is cut at the end is left out. */
function decode(bytes: Uint8Array, label: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
