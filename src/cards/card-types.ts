// The types of cards and their templates.
import type { Node } from '@takumi-rs/core';
import type { Deadline } from '../kernel/deadline.ts';
import type { CardFormat } from '../kernel/formats.ts';
import type { Turn } from '../kernel/turn.ts';
import type { HtmlPainter } from './html/html-painter.ts';
import type { HtmlTree } from './html/html-template-types.ts';

export type TextNode = Extract<Node, { type: 'text' }>;

export type VariableType = 'text' | 'color' | 'image_url' | 'items';

/** A variable of a template, as in the catalogue. */
export type Variable = {
  readonly type: VariableType;
  readonly doc: string;
  readonly default?: string;
};

export type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly format: CardFormat;
  readonly quality: number;
};

/** A file that was uploaded with a template. A font is named by its file: `Brand Sans.woff2` is "Brand Sans". */
export type TemplateFile = {
  readonly name: string;
  readonly kind: 'image' | 'font';
  /** SHA-256 of its bytes. */
  readonly hash: string;
};

/** A template that is not trusted, such as an account's own. */
export type HtmlTemplate = {
  /** The account whose template it is. */
  readonly owner?: string;
  readonly source: string;
  readonly variables: Readonly<Record<string, Variable>>;
  /** Without their bytes, they are read when the card is painted. */
  readonly files: readonly (TemplateFile & { readonly bytes?: Buffer })[];
};

/** A template of a folder, ours or the operator's: it is trusted, read at the start, and painted in this process. */
export type Template = CatalogueEntry & {
  /** Of the file. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
  /** Without what is said of the template at the top of the file. */
  readonly html: string;
  readonly tree: HtmlTree;
  /** The images that it shows, and the fonts. */
  readonly files: readonly (TemplateFile & { readonly bytes: Buffer })[];
  /** Changes with everything that the look of its cards depends on. */
  readonly version: string;
};

export type CardRequest = Canvas & {
  /** Whose card it is. */
  readonly accountId?: string;
  readonly template: string;
  /** The template itself, if it is an account's own: a render node has no database. */
  readonly html?: HtmlTemplate | undefined;
  /** As the caller gave them, validated. Images are fetched when the card is rendered. */
  readonly variables: Readonly<Record<string, string>>;
  /** Painted while somebody types: images that were fetched within the last minute are not fetched again. */
  readonly isPreview?: boolean;
};

export type Card = {
  readonly bytes: Buffer;
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly string[];
};

export type CatalogueEntry = {
  readonly name: string;
  readonly description: string;
  readonly variables: Readonly<Record<string, Variable>>;
  readonly example: Readonly<Record<string, string>>;
};

export interface CardMaker {
  /** As it is now: a file of TEMPLATES_DIR may change. */
  readonly catalogue: readonly CatalogueEntry[];
  /** Grows with every change of the catalogue. What follows from the catalogue may be kept as long as it stays the same. */
  readonly revision: number;
  /**
   * Validates template and variables before anything is fetched or painted. Throws template_not_found,
   * invalid_parameter or target_refused (with the name of the variable). Returns the variables that change the card,
   * the template's version, and warnings, such as variables that the template does not use.
   */
  check(
    template: string,
    variables: ReadonlyMap<string, string>,
  ): { variables: Record<string, string>; version: string; warnings: string[] };
  /** `turn` is paused while images are fetched. Without one, a card waits only for the painter. */
  render(request: CardRequest, deadline: Deadline, turn?: Turn): Promise<Card>;
  /** For the editor of templates. */
  readonly html: HtmlPainter;
  /** Loads the fonts and paints every template once, in the background: the first card of each takes the longest. */
  prepare(): void;
  stop(): Promise<void>;
}

/** An image of a card, ready to be painted: upright, of limited size, in a format that the engine reads. */
export type Picture = { readonly src: Uint8Array; readonly width: number; readonly height: number };
