// What the Open Graph part promises to the rest of the house, and what a template file is.
import type { Node } from '@takumi-rs/core';
import type { Deadline } from '../kernel/deadline.ts';
import type { CardFormat } from '../kernel/formats.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Color } from './design/color.ts';
import type { FitBox, Fitted } from './design/fit.ts';
import type { Frame } from './design/frame.ts';
import type { Kit } from './design/kit.ts';

export type VariableType = 'text' | 'color' | 'image_url' | 'items';

/** One variable a template takes, as the catalogue shows it. */
export type Variable = {
  readonly type: VariableType;
  readonly doc: string;
  readonly default?: string;
  /** Characters; for items, of one item. A template may ask for less than the general bound. */
  readonly maxLength?: number;
};

export type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly format: CardFormat;
  readonly quality: number;
};

export type CardRequest = Canvas & {
  readonly template: string;
  /** As the caller wrote them, checked; images are fetched when the card is made. */
  readonly variables: Readonly<Record<string, string>>;
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
  readonly catalogue: readonly CatalogueEntry[];
  /**
   * Checks template and variables before anything is fetched or painted: throws template_not_found,
   * invalid_parameter or target_refused (naming the variable). Gives back the variables that change the card, the
   * template's version, and warnings, such as variables the template ignores.
   */
  check(
    template: string,
    variables: ReadonlyMap<string, string>,
  ): { variables: Record<string, string>; version: string; warnings: string[] };
  /** `turn` is paused while images are fetched; a card that is not told of one paints when the engine is free. */
  render(request: CardRequest, deadline: Deadline, turn?: Turn): Promise<Card>;
  stop(): Promise<void>;
}

/** An image of a card, ready to be painted: upright, bounded, in a format the engine reads. */
export type Picture = { readonly src: Uint8Array; readonly width: number; readonly height: number };

/** What a template has in hand when it draws: the canvas and the values, typed and complete. */
export interface Draft {
  readonly frame: Frame;
  /** The value, its default, or ''. */
  text(name: string): string;
  items(name: string): readonly string[];
  color(name: string): Color;
  image(name: string): Picture | undefined;
  /** The text at the largest of some sizes at which it fits its box; cut with an ellipsis if at none. */
  fit(text: string, box: FitBox): Promise<Fitted>;
}

/** The default export of a template file. */
export type Template = CatalogueEntry & {
  picture(draft: Draft, kit: Kit): Node | Promise<Node>;
};
