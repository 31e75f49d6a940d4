// Runs inside the page: text without characters that nobody can see, and addresses that a reader can use.

export default function () {
  /** Longer addresses are left out. */
  const longestAddress = 4096;

  // Soft hyphens and zero-width spaces; the "tag" characters, which spell ASCII invisibly and are only used by emoji flags; and
  // variation selectors, which can encode any text. One of them chooses a glyph, of the second kind only after an ideograph.
  const invisible =
    /[\u00AD\u200B\u2060-\u2064\uFEFF\uFFF9-\uFFFB]|(?<![\u{1F3F4}\u{E0020}-\u{E007E}])[\u{E0000}-\u{E007F}]+|(?<!\p{scx=Han})[\u{E0100}-\u{E01EF}]+|(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+/gu;
  // Most texts have none of them, and this test is quick.
  const mayHaveInvisible = /[\u00AD\u200B\u2060-\u2064\uFEFF\uFFF9-\uFFFB]|[\uFE00-\uFE0F]|\uDB40/;

  const withoutInvisible = (text: string): string =>
    mayHaveInvisible.test(text) ? text.toWellFormed().replace(invisible, '') : text.toWellFormed();

  /** One line. */
  const tidy = (text: string): string => withoutInvisible(text).replace(/\s+/g, ' ').trim();

  /** To compare texts that differ in case, blanks and punctuation. */
  const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

  /** Does not cut a character in half. */
  const cut = (text: string, length: number): string => {
    if (text.length <= length) return text;
    const code = text.charCodeAt(length - 1);
    return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
  };

  /** The absolute address, if it has one of these schemes. `nowhere` is the address of a page that was sent as HTML. */
  const absolute = (address: string | null, base: string, schemes: string, nowhere: string): string | undefined => {
    if (!address || address.length > longestAddress) return undefined;
    const url = URL.parse(address, base);
    if (!url || !schemes.includes(` ${url.protocol}`) || url.href.length > longestAddress) return undefined;
    return url.href.startsWith(nowhere) ? undefined : url.href;
  };

  return { withoutInvisible, tidy, lettersOf, cut, absolute };
}
