// The table of output formats. A new format is one row here: the `format` parameter, the encoders, the size limits, the
// media types of responses and OpenAPI, and the names of stored files all read it.
import type { Sharp } from 'sharp';

/** `large` pictures are encoded row by row, so that they are not in memory as a whole. */
type Encoder = (image: Sharp, quality: number, large?: boolean) => Sharp;

type Format = {
  readonly mediaType: string;
  /** Of files and links to them. */
  readonly extension: string;
  /** Other endings of a file name that mean this format. */
  readonly otherExtensions: readonly string[];
  /** Pixels per side that the format can hold. */
  readonly largestSide: number;
  /** Pixels in all whose encoding ends within seconds. */
  readonly mostPixels: number;
  /** A full page that is larger than that: is it cut, with a warning, or refused with a 400? */
  readonly tooLarge: 'cut' | 'refuse';
  /** Can pixels be transparent? */
  readonly alpha: boolean;
  /** Does the `quality` parameter apply? */
  readonly lossy: boolean;
  /** Does the encoder end at its time-out? Otherwise it runs to its end, whoever waits. */
  readonly stoppable: boolean;
  /**
   * The name of the format in CDP's Page.captureScreenshot, if the browser's own encoder is used for a single picture.
   */
  readonly browserFormat: 'png' | 'jpeg' | undefined;
  /** Encodes a captured page; undefined for a document, which the browser prints. */
  readonly encodePage: Encoder | undefined;
  /** Encodes a card; 'png' where the engine of cards writes it; undefined where cards do not have the format. */
  readonly encodeCard: Encoder | 'png' | undefined;
};

/**
 * Processor ms and KB at effort 0, 1, 2, 3, 4 and libheif's quality 80, one run each on a busy machine: 1280 × 800 took
 * 109/99, 269/68, 529/64, 1168/63, 4860/58; 1280 × 5369 took 743/815, 2098/514, 3734/490, 7805/479. Its scale of quality
 * is another one: on that page 50 had a smaller error (RMS) than 80 of webp and jpg, and fewer bytes.
 */
const encodeAvif: Encoder = (image, quality) => image.avif({ quality: Math.ceil(quality * 0.65), effort: 1 });

export const formats = {
  png: {
    mediaType: 'image/png',
    extension: 'png',
    otherExtensions: [],
    largestSide: 200_000,
    mostPixels: Number.POSITIVE_INFINITY,
    tooLarge: 'cut',
    alpha: true,
    lossy: false,
    stoppable: true,
    browserFormat: 'png',
    // Time matters most for a tall picture. The size is within a few per cent of level 6.
    encodePage: (image) => image.png({ compressionLevel: 2 }),
    encodeCard: 'png',
  },
  jpg: {
    mediaType: 'image/jpeg',
    extension: 'jpg',
    otherExtensions: ['jpeg'],
    largestSide: 65_500,
    mostPixels: Number.POSITIVE_INFINITY,
    tooLarge: 'cut',
    alpha: false,
    lossy: true,
    stoppable: true,
    browserFormat: 'jpeg',
    // Optimal codes take a second pass over all coefficients, 6 bytes a pixel, and save 6 to 15 % of the file.
    encodePage: (image, quality, large = false) => image.jpeg({ quality, optimiseCoding: !large }),
    encodeCard: (image, quality) => image.jpeg({ quality, chromaSubsampling: '4:4:4' }),
  },
  webp: {
    mediaType: 'image/webp',
    extension: 'webp',
    otherExtensions: [],
    largestSide: 16_383,
    mostPixels: Number.POSITIVE_INFINITY,
    tooLarge: 'refuse',
    alpha: true,
    lossy: true,
    stoppable: true,
    browserFormat: undefined,
    // Effort 2 took 0.73 of the browser's own time on a small page, and the same time on a heavy one.
    encodePage: (image, quality) => image.webp({ quality, effort: 2 }),
    encodeCard: (image, quality) => image.webp({ quality, effort: 1 }),
  },
  avif: {
    mediaType: 'image/avif',
    extension: 'avif',
    otherExtensions: [],
    largestSide: 16_384,
    // About 6 s of processor for a page, and 20 s for noise at quality 100.
    mostPixels: 20e6,
    tooLarge: 'refuse',
    alpha: true,
    lossy: true,
    // libheif encodes the picture in one call.
    stoppable: false,
    browserFormat: undefined,
    encodePage: encodeAvif,
    encodeCard: encodeAvif,
  },
  pdf: {
    mediaType: 'application/pdf',
    extension: 'pdf',
    otherExtensions: [],
    largestSide: Number.POSITIVE_INFINITY,
    mostPixels: Number.POSITIVE_INFINITY,
    tooLarge: 'cut',
    alpha: false,
    lossy: false,
    stoppable: true,
    browserFormat: undefined,
    encodePage: undefined,
    encodeCard: undefined,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
/** The formats that cards have. */
export type CardFormat = {
  [Name in FormatName]: (typeof formats)[Name]['encodeCard'] extends undefined ? never : Name;
}[FormatName];

export const formatNames = Object.keys(formats) as readonly FormatName[];
export const cardFormats = formatNames.filter((name): name is CardFormat => formats[name].encodeCard !== undefined);

const byMediaType = new Map<string, FormatName>(formatNames.map((name) => [formats[name].mediaType, name]));

/** The format of a stored result. */
export function formatOf(mediaType: string): FormatName {
  const name = byMediaType.get(mediaType);
  if (name === undefined) throw new Error(`No output format has the media type ${mediaType}.`);
  return name;
}

const byExtension = new Map<string, FormatName>(
  formatNames.flatMap((name) =>
    [formats[name].extension, ...formats[name].otherExtensions].map((extension) => [extension, name] as const),
  ),
);

/** What people write for a format besides its name. */
export const formatSpellings: ReadonlyMap<string, 'jpg'> = new Map([['jpeg', 'jpg']]);

/** The format that a file name's ending means, in any case and without its dot. */
export const formatByExtension = (extension: string): FormatName | undefined =>
  byExtension.get(extension.toLowerCase());
