// Types of the code that reads a page; nothing of this file is sent into it.

/** In window coordinates. */
export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** What is known about an element that is being read, and what its children inherit. */
export type ElementState = {
  readonly element: Element;
  readonly name: string;
  readonly parent: ElementState | null;
  /** The number of elements before it in the page. */
  readonly order: number;
  readonly depth: number;
  readonly style: CSSStyleDeclaration;
  readonly position: string;
  readonly isInline: boolean;
  /** `display: contents` */
  readonly isBoxless: boolean;
  /** Multiplied with that of all ancestors. */
  readonly opacity: number;
  /** In pixels, added to that of all ancestors. */
  readonly blur: number;
  /** It or an ancestor has a filter that changes colors. */
  readonly isFiltered: boolean;
  /** Where children can be seen: those in the flow, those with an absolute and those with a fixed position. */
  readonly clip: Box;
  readonly absoluteClip: Box;
  readonly fixedClip: Box;
  /** The nearest box that scrolls, or the frame: what is in it may be scrolled into its view. */
  readonly scroller: Box | null;
  readonly isFixed: boolean;
  readonly isSticky: boolean;
  /** It or an ancestor is positioned, and may lie over other elements. */
  readonly isLayered: boolean;
  /** In a closed <details>: its place is not known, but a reader can open it. */
  readonly isFolded: boolean;
  readonly isInTable: boolean;
  /** A short text beside others in a flex box. */
  readonly isRowItem: boolean;
  readonly isPreformatted: boolean;
  /** A block of code that is no <pre>. */
  readonly isCode: boolean;
  /** Its counterpart in the copy, made when there is something to put into it. */
  copy: Element | undefined;
  /** Its counterpart in the copy of the whole page. */
  twin: Element | undefined;
  /** Nothing, if it is not known what is painted behind its text. */
  background?: Color | null;
  layer?: Layer;
  /** It or its nearest ancestor with a negative z-index. */
  behind?: ElementState | null;
};

/** What a document starts with. */
export type Inherited = Omit<ElementState, 'element' | 'name' | 'style'>;

/** Red, green and blue up to 255, and alpha up to 1. */
export type Color = readonly [number, number, number, number];

/** A place in the order in which boxes are painted. `up` is the stacking context it belongs to. */
export type Layer = {
  readonly up: Layer | null;
  readonly z: number;
  readonly order: number;
  readonly isContext: boolean;
};

/** An opaque box that may lie over text. */
export type Cover = {
  readonly box: Box;
  readonly state: ElementState;
  /** Whether it is opaque over this part of it. Not there if all of it is. */
  readonly isOpaque?: (part: Box) => boolean;
};

/** A text of the copy that may turn out to be covered, or painted in the color of its background. */
export type DoubtfulText = {
  readonly copy: Node;
  /** The same in the copy of the whole page. */
  readonly twin: Node | undefined;
  readonly box: Box;
  readonly state: ElementState;
  /** Its color, if its ancestors' background has the same. */
  readonly color?: Color;
};

/** The text before, with the box of its last line. */
export type TextBefore = {
  readonly box: Box;
  readonly name: string;
  /** Its last character. */
  readonly end: string;
  readonly isInitial: boolean;
};

/** The whole page, in which everything hidden is marked. */
export type FullCopy = {
  readonly document: Document;
  /** Adds an element, or gives its content to that of its parent. */
  add(state: ElementState, isCopied: boolean): void;
  /** All of its content was added. */
  close(state: ElementState): void;
  addSeen(node: Node, state: ElementState): Node;
  addHidden(node: Node, state: Inherited): void;
  /** Marks what was added as seen. */
  hide(node: Node): void;
  /** What is hidden adds to the steps that it takes to find the article. */
  work(): number;
};

/** What a reader sees of the page, as a document of its own. */
export type VisibleCopy = {
  readonly document: Document;
  /** Not for a selected element. */
  readonly full?: FullCopy | undefined;
  /** The first visible element that matches the selector. */
  readonly selected?: Element;
  readonly missing?: 'not found' | 'hidden';
  /** Not all of the page was read. */
  readonly isCut: boolean;
  /** An estimate of the steps that it takes to find the article. */
  readonly work: number;
};
