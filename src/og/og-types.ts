// What the Open Graph part promises to the rest of the house.
import type { Deadline } from '../kernel/deadline.ts';

export type VariableType = 'text' | 'color' | 'image_url' | 'items';

/** One variable a template takes, as the catalogue shows it. */
export type Variable = {
  readonly type: VariableType;
  readonly doc: string;
  readonly default?: string;
  readonly maxLength?: number;
};

export type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'jpg' | 'webp';
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
   * Checks template and variables before anything is fetched or painted: throws template_not_found or
   * invalid_parameter (naming the variable). Gives back warnings, such as variables the template ignores.
   */
  check(
    template: string,
    variables: ReadonlyMap<string, string>,
  ): { variables: Record<string, string>; warnings: string[] };
  render(request: CardRequest, deadline: Deadline): Promise<Card>;
  stop(): Promise<void>;
}
