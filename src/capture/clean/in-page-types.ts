// What the server and the cleaning code inside a page say to each other. Everything here crosses the protocol as JSON,
// so it uses no DOM types: both sides import it.

/** What a document contains, for the rules that hide by class, id or link. */
export type Names = { readonly classes: string[]; readonly ids: string[]; readonly hrefs: string[] };

/** An element that cannot be read from the page: an iframe, or the host of a closed shadow root. */
export type SealedKind = 'frame' | 'root';

export type BannersFound = { readonly banners: number; readonly sealed: readonly SealedKind[] };

export type ClearBanners = {
  /** The sheet of the cookie list for this page. */
  readonly css: string;
  /** How many banners the last look counted. */
  readonly banners: number;
  /** Indices of the sealed elements that contain a banner. */
  readonly sealed: readonly number[];
  /** A banner was there at some time. */
  readonly known: boolean;
};

/** The functions that the server calls where it looks for banners. */
export type BannerFunctions = {
  look(): BannersFound;
  lookAndWatch(): BannersFound;
  /** Returns how many banners were found. */
  clearBanners(what: ClearBanners): number;
  frameIsBanner(): boolean;
};

/** The functions that the server calls where it hides advertisements. */
export type BoxFunctions = {
  namesInUse(): Names;
  applyAds(css: string): void;
  /** Returns how many boxes were closed. */
  closeBoxes(urls: readonly string[]): number;
};
