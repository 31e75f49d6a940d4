// Runs inside the page: frees a page that is fixed to the window, so that it can be scrolled and is as tall as its content.
// Two kinds: a dialog has locked it, or a script moves its content in a fixed element by as much as the document is
// scrolled (smooth scrolling).

export default function () {
  /** An application of 100vh in a body with margins makes the document a little taller than the window. */
  const fewPixels = 40;
  const isTall = (element: Element): boolean => element.scrollHeight > innerHeight + fewPixels;

  const isFixed = (element: Element) => getComputedStyle(element).position === 'fixed';

  const unpinDocument = () => {
    const { documentElement, body } = document;
    // The body of an application is as tall as the window, and an element inside scrolls.
    if (!body || !isTall(body)) return;
    for (const element of [documentElement, body])
      if (isFixed(element)) tintype.setAll(element, { position: 'static' });
  };

  /** Fills the window, and the document is as tall as its content, because a script has made it so. */
  const holdsThePage = (element: Element) => {
    const { top, left, right, bottom, height } = element.getBoundingClientRect();
    const fills = top <= 1 && left <= 1 && right >= innerWidth - 20 && bottom >= innerHeight - 1;
    const tall = document.documentElement.scrollHeight;
    return (
      fills &&
      Math.abs(Math.max(element.scrollHeight, height) - tall) < tall * 0.05 &&
      isFixed(element) &&
      !/auto|scroll/.test(getComputedStyle(element).overflowY)
    );
  };

  const unpinContent = () => {
    if (!isTall(document.documentElement) || scrollY > 0) return;
    const holder = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).find(holdsThePage) as
      | HTMLElement
      | undefined;
    if (!holder) return;
    tintype.setAll(holder, { position: 'absolute', inset: '0 0 auto 0', height: 'auto', overflow: 'visible' });
    for (const moved of [holder, ...tintype.children(holder)])
      if (moved.getBoundingClientRect().height > innerHeight)
        tintype.hold(moved, { transform: 'none', translate: 'none' });
  };

  const unpin = (): void => {
    unpinDocument();
    if (tintype.isScripted()) unpinContent();
  };

  return { unpin, isTall };
}
