// Runs inside the page: the counterpart of a picture, a video, a frame or a form control in the copy.
import type { ElementState } from './reading-types.ts';

export default function () {
  const leaves = new Set('img input select textarea video canvas object embed iframe frame'.split(' '));

  /**
   * An element without children that can be seen. Those that give no text are in the copy too: the extractor judges a part of
   * the page by its pictures, frames and fields.
   */
  const copyLeaf = (state: ElementState, into: Document, nowhere: string): Element | undefined => {
    const { element, name } = state;
    if (name === 'canvas' || !reader.isRendered(element, { visibilityProperty: true, opacityProperty: true }))
      return undefined;
    const copy = bareLeaf(name, into);
    if (name === 'img') describeImage(state, copy, nowhere);
    else if (name === 'iframe' || name === 'video') describeVideo(state, copy, nowhere);
    else if (isControl(name) && reader.hasSeenBox(state, 4)) {
      const text = reader.withoutInvisible(controlText(state));
      if (text) copy.setAttribute('data-text', text);
    }
    return copy;
  };

  const bareLeaf = (name: string, into: Document): Element => {
    const copy = into.createElement(name === 'frame' ? 'iframe' : name);
    // The extractor does not count pictures without any address. No address is written from this one.
    if (name === 'img') copy.setAttribute('data-srcset', '#');
    return copy;
  };

  const isControl = (name: string) => /^(input|select|textarea)$/.test(name);

  /** What was loaded, or what a script would have loaded. */
  const addressOf = (image: HTMLImageElement, nowhere: string): string | undefined => {
    const lazy = ['data-src', 'data-lazy-src', 'data-original'].map((name) => reader.attribute(image, name));
    for (const address of [image.currentSrc || reader.attribute(image, 'src'), ...lazy]) {
      const src = reader.absolute(address, image.baseURI, ' http: https:', nowhere);
      if (src) return src;
    }
    return undefined;
  };

  /** A picture counts if it can be seen, one without an alternative text if it is no icon either. */
  const describeImage = (state: ElementState, copy: Element, nowhere: string) => {
    const image = state.element as HTMLImageElement;
    const alt = reader.cut(reader.tidy(reader.shortAttribute(image, 'alt', 2000)), 1000);
    // A browser makes the box of a picture that did not load large enough for its alternative text.
    const isPixel = ['width', 'height'].some((side) => /^[0-2](px)?$/.test(reader.shortAttribute(image, side, 5)));
    if (isPixel || !reader.hasSeenBox(state, alt ? 2 : 32)) return;
    const src = addressOf(image, nowhere);
    const { width, height } = reader.rectOf(image);
    const size = { width: String(Math.round(width)), height: String(Math.round(height)) };
    // The extractor puts any attribute that looks like a picture's address into `src`: only `data-src` is written.
    const values = { src, 'data-src': src, alt, ...size, 'data-text': alt };
    for (const [key, value] of Object.entries(values)) if (value) copy.setAttribute(key, value);
  };

  const players =
    /^https:\/\/(?:(?:www\.)?(?:youtube|youtube-nocookie|dailymotion)\.com\/embed\/|player\.(?:vimeo\.com|bilibili\.com|twitch\.tv)\/)/;

  /** A video that a reader can play becomes a link to it. Other frames may be advertisements, and other videos decoration. */
  const describeVideo = (state: ElementState, copy: Element, nowhere: string) => {
    const { element, name } = state;
    const isFrame = name === 'iframe';
    const loaded = isFrame ? '' : (element as Partial<HTMLVideoElement>).currentSrc;
    const address = loaded || reader.attribute(element, 'src');
    const href = reader.absolute(address, element.baseURI, ' http: https:', nowhere);
    if (!href || !(isFrame ? players.test(href) : reader.attribute(element, 'controls') !== null)) return;
    if (!reader.hasSeenBox(state, 32)) return;
    const label = reader.shortAttribute(element, 'title', 500) || reader.shortAttribute(element, 'aria-label', 500);
    copy.setAttribute('data-href', href);
    copy.setAttribute('data-label', reader.cut(reader.tidy(label), 500) || 'Video');
  };

  /** What a form control shows. A password is not text. */
  const controlText = ({ element, name, style }: ElementState): string => {
    if (reader.isMasked(style)) return '';
    if (name === 'select') {
      const chosen = [...((element as Partial<HTMLSelectElement>).selectedOptions ?? [])].slice(0, 20);
      return chosen.map(({ text }) => text.slice(0, 200)).join(', ');
    }
    if (name === 'textarea') return (element as Partial<HTMLTextAreaElement>).value?.slice(0, 10_000) ?? '';
    const { type, value, checked } = element as HTMLInputElement;
    if (type === 'checkbox' || type === 'radio') return checked ? '☑' : '☐';
    return /^(submit|button|reset|text|search|url|email|tel|number|date|time|month|week|datetime-local)$/.test(type)
      ? value.slice(0, 1000)
      : '';
  };

  return { isLeaf: (name: string) => leaves.has(name), copyLeaf, bareLeaf };
}
