// What the server and our code inside a page say to each other. Everything here crosses the protocol as JSON, so it
// uses no DOM types: both sides import it.

/** A rectangle in page coordinates. */
export type PageBox = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Where the picture is taken: of the window, of the whole page, or of a rectangle in page coordinates. */
export type PictureRegion = 'view' | 'page' | PageBox;

/** The page before it is scrolled through, in CSS pixels. */
export type ScrollStart = {
  readonly height: number;
  readonly view: number;
  readonly isScripted: boolean;
  /** Something in it waits for scrolling: lazy images, what is still invisible. */
  readonly waits: boolean;
  /** A script may have made intersection observers. */
  readonly mayObserve: boolean;
  /** Windows of content that cannot be scrolled to. */
  readonly stuck: number;
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

/** The functions of our in-page library that the server calls. */
export type PageFunctions = {
  /** True if there is nothing to capture. */
  isEmpty(): boolean;
  endLoad(): void;
  frames(count: number): Promise<void>;
  /** `mayAct`: scripts or animations may change the page. `mayDraw`: its first frame changes it. */
  watch(): { readonly mayAct: boolean; readonly mayDraw: boolean };
  look(): { readonly changed: boolean };
  lookAfterFrames(count: number): Promise<{ readonly changed: boolean }>;
  /** Nothing or only a loading indicator is shown. */
  looksUnfinished(): boolean;
  fontsReady(): Promise<void>;
  has(selector: string): boolean;
  isScripted(): boolean;
  facts(region: PictureRegion): Facts;
  hasContent(top?: number, bottom?: number): boolean;
  twoFrames(): Promise<void>;
  still(): Promise<void>;
  adopt(css: string): void;
  measure(): Extent;
  measureFromTop(): Promise<Extent>;
  beginScroll(): ScrollStart;
  goTo(y: number): Promise<void>;
  noteView(last: boolean): boolean;
  noteAfterFrame(last: boolean): Promise<boolean>;
  unseenPlaces(): number[];
  isMissing(): boolean;
  holdsOnlyTheView(): boolean;
  heightNow(): number;
  showAll(): Extent;
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
  /** Is an element visible that matches, or only scrolling can show it? */
  isElementThere(selector: string): boolean;
  /** Scrolls what hides the element. `moved`: something was scrolled or opened. */
  bringIntoView(selector: string): { readonly moved: boolean };
  prepareForElement(): Promise<void>;
  placeOfElement(selector: string, padding: number): ElementPlace;
  beginTurns(): void;
  /** Where the outer elements are. */
  places(): string;
  endTurns(): void;
};

/** A name of the above with its result, as the server sees it. */
export type PageFunctionName = keyof PageFunctions;
export type PageResult<N extends PageFunctionName> = Awaited<ReturnType<PageFunctions[N]>>;
