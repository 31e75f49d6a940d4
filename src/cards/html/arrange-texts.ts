// Arranges what the engine cannot by itself: sizes at which texts fit, ends of right-to-left texts, lists that show whole rows.
import type { Node } from '@takumi-rs/core';
import type { Measure } from '../painter.ts';
import { cutTexts, type TextToCut } from './cut-texts.ts';
import { type CodeToFit, fitCode } from './fit-code.ts';
import { fitTexts, type TextToFit } from './fit-texts.ts';
import { type List, showWholeRows } from './whole-rows.ts';

export type ToArrange = {
  readonly node: Node;
  readonly fits: readonly TextToFit[];
  readonly codes: readonly CodeToFit[];
  /** Right-to-left texts with Tailwind's truncate or line-clamp. */
  readonly cuts: readonly TextToCut[];
  readonly lists: readonly List[];
};

/** Changes the nodes. A card that fits as it is takes one measurement. */
export async function arrangeTexts({ node, fits, codes, cuts, lists }: ToArrange, measure: Measure): Promise<void> {
  const measureCard = () => measure(node);
  await cutTexts(node, cuts, measureCard);
  const measured = await fitTexts(node, fits, measureCard);
  if (codes.length === 0) {
    if (lists.length > 0) showWholeRows(node, lists, measured ?? (await measureCard()));
    return;
  }
  const whole = fitCode(node, codes, measured ?? (await measureCard()));
  const others = lists.filter((list) => !whole.has(list.node));
  if (others.length > 0) showWholeRows(node, others, await measureCard());
}
