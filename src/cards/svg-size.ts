// Gives an SVG a size if it has none: without viewBox it would not grow with the density, and be a dot in the corner of a card.
import sharp from 'sharp';

/** Not a percentage; in pixels if it has no unit. */
const lengths = {
  width: /\swidth\s*=\s*["']\s*([\d.]+)([a-z]*)\s*["']/,
  height: /\sheight\s*=\s*["']\s*([\d.]+)([a-z]*)\s*["']/,
};
const eitherLength = /\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')/g;

const pixels = (length: RegExpExecArray | null): number =>
  /^(px)?$/.test(length?.[2] ?? '%') ? Number(length?.[1]) : 0;

/** The size is the one that browsers give it, 300 × 150, or more if it draws more. */
export async function withSize(svg: Buffer): Promise<Buffer> {
  const text = svg.toString('latin1');
  const start = rootOf(text) + '<svg'.length;
  const end = text.indexOf('>', start);
  const attributes = text.slice(start, end);
  const [width, height] = [lengths.width.exec(attributes), lengths.height.exec(attributes)];
  if (end < 0 || !/^(\s|\/?$)/.test(attributes) || /\sviewBox\s*=/.test(attributes) || (width && height)) return svg;
  const drawn = await sharp(svg, { limitInputPixels: false }).metadata();
  const size = [pixels(width) || Math.max(300, drawn.width), pixels(height) || Math.max(150, drawn.height)];
  const sized = ` viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}"`;
  return Buffer.from(text.slice(0, start) + sized + attributes.replace(eitherLength, '') + text.slice(end), 'latin1');
}

/** Where the first element begins, after comments, instructions and the document type, which may have a part in brackets. */
function rootOf(text: string): number {
  let at = text.indexOf('<');
  while (/[!?]/.test(text[at + 1] ?? '')) {
    const isType = text[at + 1] === '!' && !text.startsWith('<!--', at);
    const bracket = isType ? text.slice(at, text.indexOf('>', at)).indexOf('[') : -1;
    const closing = text[at + 1] === '?' ? '?>' : !isType ? '-->' : bracket < 0 ? '>' : ']';
    const end = text.indexOf(closing, at + Math.max(2, bracket));
    if (end < 0) return -1;
    at = text.indexOf('<', bracket < 0 ? end + closing.length : text.indexOf('>', end));
  }
  return at;
}
