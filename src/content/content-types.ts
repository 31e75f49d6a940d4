// What a page becomes when it is read.

export type ReadOptions = {
  readonly format: 'markdown' | 'text' | 'html';
  /** Only the first visible element that matches. */
  readonly selector?: string;
  readonly maxChars: number;
  readonly maxLinks: number;
};

export type PageLink = { readonly href: string; readonly text: string };

export type PageText =
  | {
      readonly title: string | null;
      readonly description: string | null;
      readonly language: string | null;
      readonly byline: string | null;
      readonly siteName: string | null;
      readonly publishedAt: string | null;
      readonly image: string | null;
      readonly favicon: string | null;
      readonly canonical: string | null;
      readonly links: readonly PageLink[];
      readonly content: string;
      readonly words: number;
      readonly truncated: boolean;
    }
  | { readonly missing: 'not found' | 'hidden' };
