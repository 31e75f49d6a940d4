// The address of a page in an answer of ours.

const longestAddress = 200;

/** Encoded and short: an address may come from a page, and must not be a sentence of its own here. */
export function addressOf(url = ''): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.slice(0, longestAddress);
}
