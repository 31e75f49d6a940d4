// Runs inside the page: waits for fonts and images in view. The load event does not wait for all of them: the images of a
// style sheet are requested at layout, which may be later.

/** The pictures that were found in view. */
type Found = {
  readonly waits: Promise<unknown>[];
  readonly pictures: Set<string>;
  /** Of another origin they are loaded with CORS only. */
  readonly masks: Set<string>;
  /** Of each set the browser loads one. */
  readonly choices: string[][];
};

export default function () {
  const pictureStyles = ['backgroundImage', 'borderImageSource', 'maskImage', 'listStyleImage', 'content'] as const;
  const urlInStyle = /url\("((?:[^"\\]|\\.)*)"\)/g;

  const ended = (element: EventTarget, ...names: string[]): Promise<unknown> =>
    new Promise((resolve) => {
      for (const name of [...names, 'error']) element.addEventListener(name, resolve, { once: true });
    });

  /** Collects the URLs of images in the styles of an element. */
  const styledPictures = (style: CSSStyleDeclaration, found: Found) => {
    for (const name of pictureStyles) {
      const value = style[name];
      if (!value?.includes('url(')) continue;
      // The browser loads one image of a set; which one is known only when it has loaded.
      const choice = value.includes('image-set(') ? found.choices : undefined;
      const urls = [...value.matchAll(urlInStyle)].map(([, url]) => url.replace(/\\(.)/g, '$1'));
      if (choice) choice.push(urls);
      else for (const url of urls) found[name === 'maskImage' ? 'masks' : 'pictures'].add(url);
    }
  };

  const drawnPictures = (element: Element, found: Found) => {
    const { localName } = element;
    const { href } = element as SVGImageElement | SVGUseElement;
    const input = element as HTMLInputElement;
    const video = element as HTMLVideoElement;
    if (localName === 'image' && href) found.pictures.add(href.baseVal);
    else if (localName === 'use' && href?.baseVal) found.choices.push([href.baseVal]);
    else if (localName === 'input' && input.type === 'image') found.pictures.add(input.src);
    else if (localName === 'video') {
      if (video.poster) found.pictures.add(video.poster);
      else if (isLoadingVideo(video)) found.waits.push(ended(video, 'loadeddata', 'emptied', 'suspend'));
    }
  };

  const isLoadingVideo = (video: HTMLVideoElement) =>
    video.preload !== 'none' &&
    video.networkState === HTMLMediaElement.NETWORK_LOADING &&
    video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;

  /** The absolute URL without its fragment; undefined if it is not http(s). */
  const fullUrl = (url: string): string | undefined => {
    try {
      const full = new URL(url, document.baseURI);
      full.hash = '';
      return /^https?:$/.test(full.protocol) ? full.href : undefined;
    } catch {
      return undefined;
    }
  };

  /** An image element with the same URL shares the request, and its events tell when it ends. */
  const sharedLoad = (url: string, crossOrigin: boolean) => {
    const image = new Image();
    if (crossOrigin) image.crossOrigin = 'anonymous';
    image.src = url;
    return image.complete ? undefined : ended(image, 'load');
  };

  const untilOneIsNamed = async (urls: readonly string[]) => {
    while (!urls.some((url) => finishedUrls().has(url))) await tintype.pause(50);
  };

  /** All URLs that have loaded or failed. The browser keeps 250 by default; the limit is raised below. */
  const finishedUrls = () => new Set(performance.getEntriesByType('resource').map(({ name }) => name.split('#')[0]));

  /** One promise for each image in view that is still loading. */
  const picturesUnderWay = () => {
    const found: Found = { waits: [], pictures: new Set(), masks: new Set(), choices: [] };
    for (const element of tintype.elementsInView()) {
      if (element.localName === 'img') {
        // An SVG element of that name has no such property.
        if ((element as Partial<HTMLImageElement>).complete === false) found.waits.push(ended(element, 'load'));
        continue;
      }
      drawnPictures(element, found);
      styledPictures(getComputedStyle(element), found);
      for (const part of ['::before', '::after']) {
        const style = getComputedStyle(element, part);
        if (style.content !== 'none' && style.content !== 'normal') styledPictures(style, found);
      }
    }
    return [...found.waits, ...pendingOf(found)];
  };

  const pendingOf = ({ pictures, masks, choices }: Found): Promise<unknown>[] => {
    if (pictures.size + masks.size + choices.length === 0) return [];
    const finished = finishedUrls();
    const isPending = (url: string | undefined): url is string => url !== undefined && !finished.has(url);
    const sameOrigin = (url: string) => url.startsWith(`${location.origin}/`);
    const load = (urls: ReadonlySet<string>, crossOrigin: boolean) =>
      [...new Set([...urls].map(fullUrl))].filter(isPending).map((url) => sharedLoad(url, crossOrigin));
    const named = choices
      .map((urls) => urls.map(fullUrl).filter((url) => url !== undefined))
      .filter((urls) => urls.length > 0 && urls.every(isPending) && (urls.length > 1 || sameOrigin(urls[0])));
    return [...load(pictures, false), ...load(masks, true), ...named.map(untilOneIsNamed)].filter(
      (wait) => wait !== undefined,
    );
  };

  /** One promise for each font and image that must be waited for. */
  const underWay = () => {
    // Fonts and images of style sheets begin to load at layout: this forces one.
    document.documentElement?.getBoundingClientRect();
    return [...(document.fonts.status === 'loading' ? [document.fonts.ready] : []), ...picturesUnderWay()];
  };

  const isThereInView = () => underWay().length === 0;

  /** Waits for fonts and images in view, and for those that come into view when the others have loaded. */
  const loadedInView = async (end: number): Promise<void> => {
    for (;;) {
      const waits = underWay();
      if (waits.length === 0) return;
      tintype.untouched = false;
      if (tintype.now() >= end) return;
      await tintype.within(end - tintype.now(), Promise.all(waits));
    }
  };

  const fontsLoaded = async (end: number): Promise<void> => {
    document.documentElement?.getBoundingClientRect();
    if (document.fonts.status !== 'loading') return;
    tintype.untouched = false;
    await tintype.within(end - tintype.now(), document.fonts.ready);
  };

  performance.setResourceTimingBufferSize(5000);
  return { isThereInView, loadedInView, fontsLoaded };
}
