// Runs inside the page: what an element looks like at a moment, and the animations that change it.

export type Appearance = Pick<
  CSSStyleDeclaration,
  'opacity' | 'visibility' | 'transform' | 'translate' | 'scale' | 'rotate' | 'filter' | 'clipPath'
>;

export default function () {
  const properties = [
    'opacity',
    'visibility',
    'transform',
    'translate',
    'scale',
    'rotate',
    'filter',
    'clipPath',
  ] as const;

  const lookOf = (element: Element) => {
    const style = getComputedStyle(element);
    return Object.fromEntries(properties.map((name) => [name, style[name]])) as Appearance;
  };

  const isInvisible = ({ opacity, visibility }: Pick<Appearance, 'opacity' | 'visibility'>) =>
    Number(opacity) < 0.99 || visibility === 'hidden';

  const isElsewhere = (one: Appearance, other: Appearance) =>
    (['transform', 'translate', 'scale', 'clipPath'] as const).some((name) => one[name] !== other[name]);

  const isMoved = ({ transform, translate, scale }: Appearance) =>
    [transform, translate, scale].some((value) => value !== 'none');

  const hasEnd = ({ timeline, effect }: Animation) =>
    timeline instanceof DocumentTimeline && Number.isFinite(effect?.getComputedTiming().endTime);

  /** It runs, and not for ever. */
  const isEnding = (animation: Animation) => animation.playState === 'running' && hasEnd(animation);

  /** Before the picture it is stopped where it is most visible. */
  const fadesForEver = (element: Element) =>
    element.getAnimations().some(({ timeline, effect }) => {
      if (!(timeline instanceof DocumentTimeline) || effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        return false;
      return (effect as KeyframeEffect).getKeyframes().some(({ opacity }) => opacity !== undefined);
    });

  /** Finishes the animations of the element that have an end. */
  const finishAnimations = (element: Element) => {
    for (const animation of element.getAnimations().filter(hasEnd))
      try {
        animation.finish();
      } catch {
        // An animation with a rate of 0 cannot be finished.
      }
  };

  return { lookOf, isInvisible, isElsewhere, isMoved, isEnding, fadesForEver, finishAnimations };
}
