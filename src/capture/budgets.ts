// The limits of one render, each with its reason. Ordinary pages stay below all of them.
import type { Budget } from '../egress/egress-types.ts';

/** The heaviest pages of the web make about 1,000 requests; 10,000 are an attack. */
export const networkBudget: Budget = {
  requests: 2000,
  // Chromium opens at most 256 sockets of a kind at once; a page uses a few hundred in all.
  connections: 1000,
  bytes: 256 * 1024 * 1024,
  responseBytes: 64 * 1024 * 1024,
  // 2,000 requests with a kilobyte of headers each are 2 MB; a page that sends more uses the render to upload data.
  sentBytes: 10e6,
};

// Redirects need no limit here: Chromium follows 20 and then gives up (net::ERR_TOO_MANY_REDIRECTS).

/** The limit of the JavaScript heap: an ordinary page uses 50 MB, a heavy editor 300. */
export const javascriptHeapMb = 512;

/** ArrayBuffers, images and canvases are not part of that heap, so the whole process is watched and killed here. */
export const rendererBytes = 1536 * 1024 * 1024;

/**
 * The pages of a browser share its browser process (blobs, in-memory storage) and its GPU process (pictures). They use 0.4 GB at
 * rest and 0.7 GB more while a giant picture is taken. Above this limit the browser is killed.
 */
export const sharedBytes = (pages: number): number => (1 + 0.25 * pages) * 1024 ** 3;

/** Above this a browser is replaced after a render: what pages leave in it over time is not the fault of its last page. */
export const retiredBytes = (pages: number): number => 0.75 * sharedBytes(pages);

/** How often memory is measured during renders: a hostile page allocates about 1 GB a second. */
export const weighEveryMs = 400;

/**
 * Processor time of a thread of the GPU process, in clock ticks of 10 ms, in which it must have made a picture if one is awaited.
 * The largest piece of a picture takes a second; all pages wait for it meanwhile.
 */
export const pictureTicks = 500;

/**
 * Pixels of a picture that is taken in one capture. A capture of 52 megapixels takes over 1 GB of renderer memory; above
 * 110 the browser returns wrong pictures.
 */
export const capturePixels = 16e6;

/**
 * Larger pictures are joined from pieces, and between pieces the capture can stop. Compared with pieces of 16 megapixels
 * these take half the browser's memory, as much of its processor time at a width of 1280 px, and a seventh more at 11,520.
 */
export const piecePixels = 8e6;

/** Pixels of a whole picture: 3840×3840 at scale 3 is 133 megapixels, 531 MB raw. */
export const outputPixels = 400e6;

/** The tallest full page, in CSS pixels. What is below is cut, with a warning. */
export const pageHeight = 40_000;

/** How far a page that becomes a PDF is scrolled through for what appears on scrolling, in CSS pixels: 190 pages. */
export const printedHeight = 200_000;

/** The widest element, in CSS pixels; as wide as `clip` may be. */
export const pageWidth = 32_000;

/** A PDF of 500 pages with photographs has 60 MB; a larger one can take 1.25 GB of the server's memory. */
export const pdfBytes = 64e6;
/** Read from the browser in pieces of this size. */
export const pdfChunkBytes = 4 * 1024 * 1024;

/** Steps of the scroll through a full page; an endless page is cut here. */
export const scrollSteps = 60;

/** How a loaded page comes to rest, in ms. Each ends as soon as there is nothing to wait for. */
export const restBounds = {
  /** The page's own time: charts and counters take 1.5 to 2 s from their first frame, and intros up to 3 s. */
  page: 3000,
  /** The same after something was changed, such as the scroll position. */
  pageAgain: 1000,
  /** Frames of motion that goes on with them instead of the time: 1.5 s of them. */
  frames: 90,
  /** The real time that the page's work may take meanwhile. */
  work: 1500,
  /** Responses that are under way: data arrives sooner, a long poll never does. */
  answers: 2500,
  /** The same while the page shows nothing yet, or only a loading indicator. */
  unfinished: 5000,
  /** The element that `selector` names, after everything else. */
  element: 5000,
} as const;

/** Loading is stopped after this long without network traffic: what is missing never arrives. */
export const silentLoadMs = 5000;

/** This share of the deadline is reserved for the capture itself: waits end before it. */
export const captureShare = 0.1;
/** Of a short deadline at least this many ms are reserved, but at most this share. */
export const captureMs = 500;
export const shortCaptureShare = 0.4;

/** A browser is replaced after this many renders. */
export const browserRenders = 1000;

/** One unit of weight is 64 MB (16 megapixels). A PDF may be as large, and is held twice while its pieces are joined. */
const pdfWeight = 2;

/** The encoder of avif takes four times the memory of other pictures, and a second of processor for 3 megapixels. */
const avifPixels = 4e6;

/**
 * How many ordinary renders this one counts as, by the pixels it may hold at once: 16 megapixels a unit, 4 of avif. Memory runs out
 * first: 3840×3840 at scale 3 is 531 MB raw, an ordinary viewport 4 MB.
 */
export function captureWeight(request: {
  width: number;
  height: number;
  deviceScale: number;
  fullPage: boolean;
  format: string;
  selector?: string | undefined;
  clip?: { width: number; height: number } | undefined;
}): number {
  const { width, height, deviceScale, clip } = request;
  // The height of a full page is not known yet; most are below 8,000 px. An element may be as tall as its page.
  const isTall = (request.fullPage && request.format !== 'pdf' && !clip) || request.selector !== undefined;
  const tall = isTall ? Math.max(height, 8000) : height;
  const area = Math.max(width * tall, clip ? clip.width * clip.height : 0);
  const least = request.format === 'pdf' ? pdfWeight : 1;
  const unit = request.format === 'avif' ? avifPixels : 16e6;
  return Math.max(least, Math.min(16, Math.ceil((area * deviceScale ** 2) / unit)));
}
