// Runs inside the page: detects pages that contain only what is in view (virtualised lists), and pages that move their
// sections by script instead of scrolling.

type Sample = { readonly element: Element; readonly text: string; readonly place: number };

export default function () {
  /** Texts that were seen on the way down, and their positions. */
  const samples: Sample[] = [];
  const mostSamples = 200;

  const placeOf = (element: Element) => Math.round(element.getBoundingClientRect().top + tintype.scrolled().scrollTop);

  /** Is it in a part that stays where it is while the page is scrolled? */
  const staysInView = (element: Element) => {
    const page = tintype.scrolled();
    for (let at: Element | null = element; at && !tintype.contains(at, page); at = tintype.parentElement(at))
      if (getComputedStyle(at).position === 'fixed') return true;
    return false;
  };

  /** Records a few texts of this window. */
  const sample = () => {
    if (samples.length >= mostSamples) return;
    for (const part of [0.3, 0.7]) {
      const element = document.elementFromPoint(innerWidth / 2, innerHeight * part);
      const text = element?.textContent?.trim().slice(0, 60);
      if (element && text && element.childElementCount < 3 && !staysInView(element))
        samples.push({ element, text, place: placeOf(element) });
    }
  };

  /** A number may have been counting up. */
  const withoutNumbers = (text: string) => text.slice(0, 10_000).replaceAll(/[\d.,]+/g, '0');

  const isGone = ({ element, text, place }: Sample) =>
    !element.isConnected ||
    !withoutNumbers(element.textContent).includes(withoutNumbers(text)) ||
    Math.abs(placeOf(element) - place) > innerHeight / 2;

  /** Called back at the top: are the texts below the first window gone? */
  const holdsOnlyTheView = () => {
    const below = samples.filter(({ place }) => place > innerHeight);
    return below.length >= 2 && below.filter(isGone).length > below.length * 0.3;
  };

  /** The share of the recorded texts that the document contains now. */
  const shareShown = () => {
    const text = document.body?.textContent ?? '';
    const texts = [...new Set(samples.map((seen) => seen.text))];
    return texts.filter((seen) => text.includes(seen)).length / Math.max(1, texts.length);
  };

  /** How many windows of content a page has that cannot be scrolled to; 0 for ordinary pages. */
  const turnableWindows = () => {
    tintype.unpin();
    const root = document.scrollingElement ?? document.documentElement;
    const isLocked = [document.documentElement, document.body].some(
      (element) => element && /hidden|clip/.test(getComputedStyle(element).overflowY),
    );
    if (!isLocked || tintype.hasInnerScroller()) return 0;
    let height = root.scrollHeight;
    for (const element of document.querySelectorAll('body, body > *, body > * > *'))
      if (/hidden|clip/.test(getComputedStyle(element).overflowY) && element.clientHeight > innerHeight / 2)
        height = Math.max(height, element.scrollHeight);
    return Math.min(20, Math.ceil(height / innerHeight) - 1);
  };

  let movers = new Map<Element, { readonly at: number; readonly transform: string }>();

  const outer = () => [...document.querySelectorAll('body > *, body > * > *, body > * > * > *')].slice(0, 500);

  /** Where the outer elements are. */
  const places = (): string =>
    outer()
      .map((element) => Math.round(element.getBoundingClientRect().top))
      .join();

  /** Before the first turn: records the positions. */
  const beginTurns = () => {
    tintype.noteAll();
    movers = new Map(
      outer().map((element) => [
        element,
        { at: element.getBoundingClientRect().top, transform: getComputedStyle(element).transform },
      ]),
    );
  };

  /** An element that is fixed to the window would keep the document as tall as the window. */
  const letGrow = (around: HTMLElement) => {
    tintype.setAll(around, { overflow: 'visible' });
    if (getComputedStyle(around).position === 'fixed')
      tintype.setAll(around, { position: 'absolute', bottom: 'auto', height: 'auto' });
  };

  /** Moves everything back and shows its overflow, so that the sections are below each other. */
  const endTurns = () => {
    for (const [element, { at, transform }] of movers) {
      const moved = at - element.getBoundingClientRect().top;
      if (Math.abs(moved) < innerHeight / 2 || getComputedStyle(element).transform === transform) continue;
      tintype.hold(element, { transform });
      for (
        let around = tintype.parentElement(element);
        around && around !== document.documentElement;
        around = tintype.parentElement(around)
      )
        letGrow(around);
    }
    tintype.holdShown();
  };

  return { sample, holdsOnlyTheView, shareShown, turnableWindows, beginTurns, places, endTurns };
}
