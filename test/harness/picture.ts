// Looking at what came back: sizes and colours of decoded images.
import sharp from 'sharp';

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly format: string;
  at(x: number, y: number): string;
};

/** Decodes an image; `at` gives a pixel as #rrggbb. */
export async function decode(bytes: Buffer | ArrayBuffer): Promise<Picture> {
  const image = sharp(Buffer.from(bytes as ArrayBuffer));
  const { format = 'unknown' } = await image.metadata();
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    format,
    at(x, y) {
      const from = (y * info.width + x) * info.channels;
      return `#${data.subarray(from, from + 3).toString('hex')}`;
    },
  };
}

export const pictureOf = async (response: Response): Promise<Picture> => {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return decode(await response.arrayBuffer());
};

/** How far two #rrggbb colours are apart, in the worst channel: lossy formats change a little. */
export function distance(a: string, b: string): number {
  const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const other = channels(b);
  return Math.max(...channels(a).map((value, at) => Math.abs(value - (other[at] ?? 0))));
}
