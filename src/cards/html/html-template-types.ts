// The parts of an HTML template once it is read. It is data: texts, names of variables, and blocks that show or repeat.
import type { VariableType } from '../card-types.ts';

/** Where something stands in the text of the template, from 1. */
export type Place = { readonly line: number; readonly column: number };

/** Where a character stands. One that was not found (-1) is the first. */
export function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, Math.max(0, offset)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A mistake in a template. */
export class TemplateFault extends Error {
  readonly place: Place;
  constructor(message: string, place: Place) {
    super(message);
    this.name = 'TemplateFault';
    this.place = place;
  }
}

/** The value of a variable; in {{#each}} also `this`, `@index`, `@first` and `@last`. */
export type Shown = { readonly show: string };

export type Block<T> = {
  readonly block: 'if' | 'unless' | 'each';
  readonly name: string;
  readonly body: readonly T[];
  readonly otherwise: readonly T[];
};

export type Word = string | Shown | WordBlock;
interface WordBlock extends Block<Word> {}
/** A text with values in it, such as an attribute. */
export type Wording = readonly Word[];

export type HtmlElement = {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, Wording>>;
  readonly children: readonly HtmlChild[];
  readonly place: Place;
};

export type HtmlChild = string | Shown | HtmlElement | ChildBlock;
interface ChildBlock extends Block<HtmlChild> {}

/** A template, ready to be filled with values. */
export type HtmlTree = {
  readonly children: readonly HtmlChild[];
  readonly css: readonly { readonly words: Wording; readonly place: Place }[];
  /** Every variable that is used, and as what. */
  readonly variables: Readonly<Record<string, VariableType>>;
  /** The files that it shows. */
  readonly files: readonly string[];
  /** Does it say what a small card leaves out, with classes that begin with `small:`? */
  readonly hasSmall: boolean;
  /** Does it show code, with `data-highlight`? */
  readonly hasCode: boolean;
};
