// Runs inside the page: what is folded, such as the closed answers of an accordion, stays hidden on paper.
export default function () {
  /** Elements inside of others that are looked at, in all. */
  const mostInside = 20_000;

  /** Of no height, and clips what is in it. */
  const isFolded = (element: HTMLElement): boolean => {
    if (element.clientHeight > 0 || element.scrollHeight === 0 || tintype.isPage(element)) return false;
    const { display, overflowY, overflowClipMargin } = getComputedStyle(element);
    // Inline elements and the rows of a table clip nothing.
    if (!/^(block|flow-root|list-item|inline-block|(inline-)?(flex|grid))$/.test(display)) return false;
    return overflowY === 'clip' ? overflowClipMargin === '0px' : overflowY !== 'visible';
  };

  /** An element that is positioned by something outside of the box is not clipped by it. */
  const clipsAll = (element: HTMLElement, looked: { left: number }): boolean => {
    if (looked.left <= 0) return false;
    const inner = [...element.querySelectorAll<HTMLElement>('*')];
    looked.left -= inner.length;
    const inside = new Set<Element | null>([element, ...inner]);
    return (
      looked.left > 0 &&
      inner.every(
        (each) => !/absolute|fixed/.test(getComputedStyle(each).position) || inside.has(each.offsetParent ?? null),
      )
    );
  };

  /** The browser's time for elements whose content is hidden grows with the square of their number. */
  const mostFolded = 1000;

  const hideFolded = (): void => {
    const looked = { left: mostInside };
    const folded = tintype.allElements().filter((element) => isFolded(element) && clipsAll(element, looked));
    for (const element of folded.slice(0, mostFolded)) tintype.setAll(element, { 'content-visibility': 'hidden' });
  };

  let isListening = false;

  /**
   * The browser prints what is in a row of a grid that has no height. It is hidden after the page itself has been told that
   * it is printed, because some pages unfold their answers then.
   */
  const hideFoldedOnPrint = (): void => {
    if (!isListening) addEventListener('beforeprint', hideFolded);
    isListening = true;
  };

  return { isFolded, hideFoldedOnPrint };
}
