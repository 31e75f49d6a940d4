// Runs inside the page: the elements of the whole page, also those that are in shadow roots or not rendered yet.
export default function () {
  const isPage = (element: Element): boolean => element === document.documentElement || element === document.body;

  /** The elements of the page in document order, with those in open shadow roots. */
  const allElements = (): HTMLElement[] => {
    const found: HTMLElement[] = [];
    const left: Iterator<HTMLElement>[] = [];
    const enter = (root: ParentNode) => left.push(root.querySelectorAll<HTMLElement>('*').values());
    enter(document);
    for (let elements = left.at(-1); elements; elements = left.at(-1)) {
      const { value, done } = elements.next();
      if (done) left.pop();
      else {
        found.push(value);
        if (value.shadowRoot) enter(value.shadowRoot);
      }
    }
    return found;
  };

  /**
   * Renders what the browser leaves out while it is not near the window. How tall a page is and where its elements are depends
   * on that, and before the first frame nothing of it is rendered. What `content-visibility` hides for good stays hidden.
   */
  const renderAll = (): void => {
    const skipped = allElements().filter((element) => getComputedStyle(element).contentVisibility === 'auto');
    for (const element of skipped) tintype.setAll(element, { 'content-visibility': 'visible' });
  };

  /** The host of a shadow root is the parent of what is inside, and so is a frame. */
  const parentOf = (element: HTMLElement): HTMLElement | null => {
    const { host, defaultView } = element.getRootNode() as { host?: Element; defaultView?: Window | null };
    return tintype.parentElement(element) ?? ((host ?? defaultView?.frameElement ?? null) as HTMLElement | null);
  };

  return { isPage, allElements, renderAll, parentOf };
}
