// Runs inside the page: a carousel that a script moves is captured with a slide in its place, not between two slides.
export default function () {
  const mostElements = 5000;

  /** Where scripts have moved or scrolled elements to. What moves by a transition or animation is finished by `freeze`. */
  const places = (elements: readonly HTMLElement[]): string => {
    let found = '';
    for (const element of elements) {
      if (element.scrollLeft !== 0) found += `${element.scrollLeft} `;
      // An XML element has no style.
      const style = element.style as CSSStyleDeclaration | undefined;
      if (!style?.length) continue;
      const { transform, translate, left, marginLeft } = style;
      found += `${transform}${translate}${left}${marginLeft} `;
    }
    return found.trim();
  };

  /** Waits until no frame moves them any more, at most `ms`: some never stop. */
  const slidesAtRest = async (ms: number): Promise<void> => {
    const end = tintype.now() + ms;
    const elements = tintype.allElements().slice(0, mostElements);
    let before = places(elements);
    for (let same = 0; before !== '' && same < 2 && tintype.now() < end; ) {
      await tintype.frame();
      const after = places(elements);
      same = after === before ? same + 1 : 0;
      before = after;
    }
  };

  return { slidesAtRest };
}
