// What the reference asks of a page. Each function runs inside the page and uses nothing of this module.

// The browser's own names, as far as they are used here: the project's types know no DOM.
declare const document: {
  scrollingElement: Scroller | null;
  querySelectorAll(selector: string): Iterable<Scroller>;
  createElement(name: string): Scroller;
};
declare const window: {
  innerWidth: number;
  innerHeight: number;
  scrollY: number;
  visualViewport: { scale: number; height: number; pageTop: number } | null;
};
declare const getComputedStyle: (element: Scroller) => { position: string; overflowY: string };
type Scroller = {
  scrollHeight: number;
  clientHeight: number;
  scrollTop: number;
  style: { setProperty(name: string, value: string, priority: string): void };
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  scrollTo(options: { top: number; left: number; behavior: 'instant' }): void;
  scrollIntoView(options: { block: 'nearest'; inline: 'nearest'; behavior: 'instant' }): void;
  append(child: Scroller): void;
  remove(): void;
};

export function pageFacts(): { height: number; window: number; top: number; zoom: number; inner: number } {
  const root = document.scrollingElement;
  const view = window.visualViewport;
  const area = window.innerWidth * window.innerHeight;
  let inner = 0;
  for (const element of document.querySelectorAll('body *')) {
    const overflow = element.scrollHeight - element.clientHeight;
    if (overflow <= inner || overflow < 50 || !/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width * height > area / 2) inner = overflow;
  }
  return {
    height: root?.scrollHeight ?? 0,
    window: view?.height ?? window.innerHeight,
    top: view?.pageTop ?? window.scrollY,
    zoom: view?.scale ?? 1,
    inner,
  };
}

/** Scrolls the document, or its large inner scroller where the document itself does not scroll. */
export function scrollPage(top: number): { end: boolean } {
  const root = document.scrollingElement;
  if (!root) return { end: true };
  const tall = window.visualViewport?.height ?? window.innerHeight;
  let target = root;
  if (root.scrollHeight <= tall + 10)
    for (const element of document.querySelectorAll('body *')) {
      const { width, height } = element.getBoundingClientRect();
      if (element.scrollHeight - element.clientHeight < 50 || width * height < (window.innerWidth * tall) / 2) continue;
      if (/auto|scroll/.test(getComputedStyle(element).overflowY)) target = element;
    }
  target.scrollTo({ top, left: 0, behavior: 'instant' });
  if (target !== root) return { end: target.scrollTop + target.clientHeight >= target.scrollHeight - 2 };
  // On a phone whose page is wider than its screen, scrollTo() stops before the end: the window moves on inside a larger
  // layout viewport, which only scrollIntoView() does.
  const shownTop = () => window.visualViewport?.pageTop ?? window.scrollY;
  const most = root.scrollHeight - tall;
  const wanted = Math.min(top, most);
  if (window.innerHeight > tall + 1 && Math.abs(shownTop() - wanted) > 1) {
    const marker = document.createElement('div');
    const row = wanted > shownTop() ? wanted + tall - 1 : wanted;
    for (const [name, value] of [
      ['position', 'absolute'],
      ['left', '0'],
      ['top', `${row}px`],
      ['width', '1px'],
      ['height', '1px'],
    ] as const)
      marker.style.setProperty(name, value, 'important');
    root.append(marker);
    marker.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    marker.remove();
  }
  return { end: top >= most - 2 };
}

/** Hides what is fixed to the window, and lets what sticks lie at its own place. */
export function prepareBand(): void {
  const area = window.innerWidth * window.innerHeight;
  for (const element of document.querySelectorAll('body *')) {
    const { position } = getComputedStyle(element);
    if (position === 'sticky') {
      element.style.setProperty('position', 'relative', 'important');
      element.style.setProperty('inset', 'auto', 'important');
    }
    if (position !== 'fixed') continue;
    const { width, height } = element.getBoundingClientRect();
    if (width * height > area * 0.7) continue;
    element.style.setProperty('transition', 'none', 'important');
    element.style.setProperty('opacity', '0', 'important');
  }
}

/** Where things are that stay at their place in the window while the page is scrolled, in pixels of the screen. */
export function fixedBoxes(): { x: number; y: number; width: number; height: number }[] {
  const zoom = window.visualViewport?.scale ?? 1;
  const area = window.innerWidth * window.innerHeight;
  return [...document.querySelectorAll('body *')]
    .filter((element) => getComputedStyle(element).position === 'fixed')
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width * height > 0 && width * height <= area * 0.7)
    .map(({ x, y, width, height }) => ({ x: x * zoom, y: y * zoom, width: width * zoom, height: height * zoom }));
}
