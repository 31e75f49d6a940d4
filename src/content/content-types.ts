// What src/content offers to the rest of the service: a page as text.
export const textFormats = ['markdown', 'text', 'html'] as const;
export type TextFormat = (typeof textFormats)[number];

/** More links than a reader follows. */
export const maxLinks = 2000;

/** What is read of a page. It crosses the protocol as JSON. */
export type ReadOptions = {
  readonly format: TextFormat;
  /** Only the first visible element that matches. */
  readonly selector?: string | undefined;
  /** Of `content`. */
  readonly maxChars: number;
  readonly maxLinks: number;
};

/** The facts about a page that stand beside its text. */
export type TextFacts = {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly byline: string | null;
  readonly siteName: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
  readonly image: string | null;
  readonly favicon: string | null;
  readonly canonical: string | null;
  /** Without duplicates, in the order of the page. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Of the whole text, also where it was cut. */
  readonly words: number;
  readonly truncated: boolean;
};

export type PageText = TextFacts & { readonly content: string };

/** The answer of the script in the page. */
export type ReadAnswer = PageText | { readonly missing: 'not found' | 'hidden' };
