// What one render may take. Each bound has its reason; none of them is met by an honest page.
import type { Budget } from '../egress/egress-types.ts';

/** The heaviest pages of the web make some 1,000 requests; 10,000 sub-resources are an attack. */
export const networkBudget: Budget = {
  requests: 2000,
  // Chromium keeps at most 256 sockets of a kind at once; a page's life sees a few hundred.
  connections: 1000,
  bytes: 256 * 1024 * 1024,
  responseBytes: 64 * 1024 * 1024,
  // 2,000 requests with a kilobyte of headers each are 2 MB; what sends more uses the render to send data out.
  sentBytes: 10e6,
};

// Redirects need no bound of ours: Chromium follows 20 and then gives up (net::ERR_TOO_MANY_REDIRECTS).

/** Kept from JavaScript's heap: an ordinary page lives in 50 MB, a heavy editor in 300. */
export const javascriptHeapMb = 512;

/** ArrayBuffers, images and canvases are outside of that heap: the whole process is watched, and killed here. */
export const rendererBytes = 1536 * 1024 * 1024;

/**
 * What pages keep outside of their renderers is in processes that all pages share: blobs and in-memory storage in the
 * browser's own, pictures in the GPU process. These weigh 0.4 GB at rest and 0.7 more while a giant picture is taken.
 * Above this, the page under which they grew the most is stopped, and the browser replaced; at twice as much it is ended.
 */
export const sharedBytes = (slots: number): number => (1 + 0.25 * slots) * 1024 ** 3;

/** How often renderers are weighed while pages are being rendered: a bomb fills about 1 GB a second. */
export const weighEveryMs = 400;

/**
 * Pixels of one capture. Up to 99.8 megapixels the browser was right, from about 110 wrong without an
 * error; more is put together from pieces.
 */
export const piecePixels = 80e6;

/** Pixels of a whole picture: 3840×3840 at scale 3 is 133 megapixels, 531 MB raw. */
export const outputPixels = 400e6;

/** The tallest full page, in CSS pixels; what is below is cut, and told. */
export const pageHeight = 40_000;

/** A PDF of 500 pages with photographs has 60 MB; what is larger than this is noise, and was seen to take 1.25 GB here. */
export const pdfBytes = 64e6;
/** Read from the browser in pieces of this size. */
export const pdfChunkBytes = 4 * 1024 * 1024;

/** Steps of the scroll through a full page; an endless page stops here. */
export const scrollSteps = 60;

/** Bounds of the waits after `load`, in ms. Each ends as soon as there is nothing to wait for. */
export const settleBounds = {
  /** Fonts and pictures in view. */
  loading: 5000,
  /** What moves in view: animations that end, and what scripts do. */
  motion: 1500,
  /** Pictures of a full page. */
  images: 3000,
  /** Numbers that count up and lists that fill while a full page is scrolled through. */
  content: 2000,
  /** A page that shows nothing yet, or only that it is busy, while the network is not idle. */
  unfinished: 5000,
  /** A page that is hidden as a whole until a script shows it: such scripts give up after 4 s themselves. */
  hidden: 4500,
  /** A page with hardly anything on it that may be on its way elsewhere. */
  passing: 1000,
  /** What scripts have asked for and nobody has answered: data come sooner, a long poll does not come at all. */
  answers: 2500,
} as const;

/** A load is ended when nothing has come for so long: what is missing never comes, and the page is there without it. */
export const silentLoadMs = 5000;

/** This part of the time is kept for the capture itself: waits end before it. */
export const captureShare = 0.1;
/** And of a short time at least this much, but never more than its own part. */
export const captureMs = 500;
export const shortCaptureShare = 0.4;

/** A browser is replaced after this many renders, or when its shared processes weigh more than they may. */
export const browserRenders = 1000;

/** A place is 64 MB (16 megapixels). A PDF may have as much, and is held twice while its pieces are put together. */
const pdfWeight = 2;

/**
 * How many ordinary renders this one counts for: by the pixels it may hold at once, 16 megapixels a place. Memory
 * is what runs out first: 3840×3840 at scale 3 is 531 MB raw, an ordinary viewport 4.
 */
export function captureWeight(request: {
  width: number;
  height: number;
  deviceScale: number;
  fullPage: boolean;
  format: string;
  clip?: { width: number; height: number } | undefined;
}): number {
  const { width, height, deviceScale, clip } = request;
  // How tall a full page is, is known only later; most are below 8,000 px.
  const tall = request.fullPage && request.format !== 'pdf' && !clip ? Math.max(height, 8000) : height;
  const area = Math.max(width * tall, clip ? clip.width * clip.height : 0);
  const least = request.format === 'pdf' ? pdfWeight : 1;
  return Math.max(least, Math.min(16, Math.ceil((area * deviceScale ** 2) / 16e6)));
}
