import { describe, expect, it } from 'vitest';
import { cardFormats, formatByExtension, formatNames, formatOf, formats } from './formats.ts';

describe('the table of output formats', () => {
  it('has the formats, media types and extensions of the contract', () => {
    expect(formatNames.map((name) => [name, formats[name].mediaType, formats[name].extension])).toEqual([
      ['png', 'image/png', 'png'],
      ['jpg', 'image/jpeg', 'jpg'],
      ['webp', 'image/webp', 'webp'],
      ['avif', 'image/avif', 'avif'],
      ['pdf', 'application/pdf', 'pdf'],
    ]);
    expect(cardFormats).toEqual(['png', 'jpg', 'webp', 'avif']);
  });

  it('has an encoder for every format of pictures', () => {
    for (const name of formatNames)
      expect(formats[name].encodePage !== undefined).toBe(formats[name].mediaType.startsWith('image/'));
  });

  it('finds a format by its media type and by the ending of a file name', () => {
    for (const name of formatNames) expect(formatOf(formats[name].mediaType)).toBe(name);
    expect(() => formatOf('image/gif')).toThrow('image/gif');
    expect(formatByExtension('JPEG')).toBe('jpg');
    expect(formatByExtension('jpg')).toBe('jpg');
    expect(formatByExtension('gif')).toBeUndefined();
    expect(formatByExtension('')).toBeUndefined();
  });
});
