// What the server and our code inside a page say to each other. Everything here crosses the protocol as JSON, so it
// uses no DOM types: both sides import it.

/** A rectangle in page coordinates. */
export type PageBox = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Where the picture is taken: of the window, of the whole page, or of a rectangle in page coordinates. */
export type PictureRegion = 'view' | 'page' | PageBox;

/** Bounds of the waits in a page, in ms; budgets.ts has the values and their reasons. */
export type SettleBounds = {
  readonly loading: number;
  readonly motion: number;
  readonly drawing: number;
  readonly unfinished: number;
  readonly hidden: number;
  readonly redirecting: number;
  readonly until?: 'load' | 'settled' | 'networkidle';
  /** Unix time in ms at which every wait ends. */
  readonly endsAt?: number;
};

/** Bounds of the scroll through a full page. */
export type ExpandBounds = {
  readonly steps: number;
  /** Unix time in ms at which the render ends. */
  readonly endsAt: number;
  /** In CSS pixels: nothing below is scrolled to, unless the page is taller from the beginning, and then up to `tallest`. */
  readonly height: number;
  readonly tallest: number;
  /** How long images are waited for, in ms. */
  readonly images: number;
  /** Scripts of the page listen to its scrolling. */
  readonly watched?: boolean;
  /** The page was scrolled through down to here, in CSS pixels. */
  readonly from: number;
};

export type Facts = {
  readonly title: string;
  readonly url: string;
  readonly status: number;
  /** The page has no text and no images; whether the picture has one color is checked by the server. */
  readonly blank: boolean;
  /** Missing if the page has too much content for a bot check. */
  readonly wall?: WallSigns;
  /** A password field is visible. */
  readonly asksForPassword: boolean;
  /** The page has less than 2000 characters of visible text. */
  readonly isShort: boolean;
  readonly failedImages: number;
  /** Images that are missing in the captured region, backgrounds included. */
  readonly failedInView: number;
  readonly failedFonts: number;
};

/** The signs of a bot check. Names of vendors are empty where there is no mark of one. */
export type WallSigns = {
  /** By a mark that only checks and block pages have. */
  readonly ownMarkOf: string;
  /** By a mark that ordinary pages have, too. */
  readonly sharedMarkOf: string;
  readonly title: string;
  readonly headline: string;
  /** The visible text. */
  readonly text: string;
  /** Its length; an ideograph counts as two characters. */
  readonly length: number;
  readonly links: number;
  readonly noIndex: boolean;
};

/** The state of a document once it has settled. */
export type Settled = {
  /** It is ready for its picture, and expanded if the request wants the full page. */
  readonly atRest: boolean;
  /** Nothing had to be waited for or changed: it was at rest when it had loaded. */
  readonly untouched?: boolean;
  /** It or a frame in view has scripts that may still wait for a response. */
  readonly actsLater?: boolean;
  /** A frame is in view. What it requests is not reported with the page's own requests. */
  readonly showsFrame?: boolean;
  readonly expansion?: Expansion;
  /** Where the element is that the request asks for. */
  readonly element?: VisibleElement;
};

export type VisibleElement = {
  readonly state: 'visible';
  /** Its border box in page coordinates. */
  readonly box: PageBox;
  /** It is in the window, with its padding, while the page is at its top. */
  readonly isInView: boolean;
  readonly extent: Extent;
};

/** The first visible match of a selector; `hidden` if there are matches and none is visible. */
export type ElementPlace = VisibleElement | { readonly state: 'hidden' | 'missing' };

/** The size of a page, in CSS pixels. */
export type Extent = {
  readonly width: number;
  readonly height: number;
  /** The layout viewport: a phone may show more than that at once. */
  readonly viewWidth: number;
  readonly viewHeight: number;
  /** How many pixels the element that holds the page hides. */
  readonly hidden: number;
  /** Below 1 where a phone shows a page that was made for a desktop. */
  readonly zoom: number;
  /** The scroll position. */
  readonly view: { readonly x: number; readonly y: number };
  /** The page may overflow to the left of its origin, as right-to-left pages do. */
  readonly leftward: boolean;
  /** The page is wider than the window because its lines are vertical. */
  readonly sideways: boolean;
  /** Frames of other origins outside of the window, in page coordinates. */
  readonly frames?: readonly PageBox[];
  /** A part of the page is beside the window until it is scrolled to. */
  readonly isBeside?: boolean;
};

/** What the scroll through a page found. */
export type Expansion = {
  /** The scroll reached the bottom of the page. */
  readonly ended: boolean;
  /** How tall the page was at the end of it, in CSS pixels. */
  readonly height: number;
  /** Missing where a script may still change the page. */
  readonly extent?: Extent;
  /** From here on, in CSS pixels, there was no time to wait for what scrolling reveals. */
  readonly hurried?: number;
  /** What was seen on the way down is gone at the top. */
  readonly inViewOnly?: boolean;
  /** Windows of content that neither scrolling nor the wheel reaches. */
  readonly stuck?: number;
};

/** The functions of our in-page library that the server calls. */
export type PageFunctions = {
  settle(bounds: SettleBounds): Promise<void>;
  /** Ends the wait for `load`; true if there is nothing to capture. */
  stop(): boolean;
  endLoad(): void;
  waitFor(selector: string): Promise<void>;
  facts(region: PictureRegion): Facts;
  hasContent(top?: number, bottom?: number): boolean;
  twoFrames(): Promise<void>;
  freeze(): Promise<void>;
  adopt(css: string): void;
  measure(): Extent;
  measureFromTop(): Promise<Extent>;
  expandPage(bounds: ExpandBounds): Promise<Expansion>;
  heightNow(): number;
  quietContent(ms: number): Promise<void>;
  quietReveals(ms: number): Promise<void>;
  showAll(ms: number): Promise<Extent>;
  expandInner(): Promise<void>;
  closeInner(): Promise<void>;
  scrollToFrame(index: number): Promise<void>;
  keepPicture(index: number, png: string): Promise<boolean>;
  leaveFrames(): Promise<void>;
  openForPrint(room: number | null): number;
  unprintableCanvases(): readonly PageBox[];
  showOnlyCanvas(index: number): Promise<PageBox | undefined>;
  showAllAgain(): void;
  keepCanvas(png: string): Promise<boolean>;
  slidesAtRest(ms: number): Promise<void>;
  placeFixed(height: number): Promise<void>;
  unstick(): void;
  placeOnPaper(): void;
  announcePrint(): void;
  needsPrintLayout(): boolean;
  setPaper(css: string): void;
  recordHeights(): void;
  pinHeights(): void;
  contentSize(): { readonly width: number; readonly height: number };
  hideFoldedOnPrint(): void;
  wrapCode(): void;
  openSideways(widest: number): number;
  shareShown(): number;
  waitForElement(selector: string, ms: number): Promise<boolean>;
  locateElement(selector: string, padding: number, bounds: SettleBounds): Promise<ElementPlace>;
  placeOfElement(selector: string, padding: number): ElementPlace;
  turnableWindows(): number;
  beginTurns(): void;
  turned(): Promise<boolean>;
  endTurns(): void;
};

/** A name of the above with its result, as the server sees it. */
export type PageFunctionName = keyof PageFunctions;
export type PageResult<N extends PageFunctionName> = Awaited<ReturnType<PageFunctions[N]>>;
