// Runs inside the page: what a reader would see but has not come yet. The load event does not wait for all of it: a
// style sheet's pictures are asked for when the page is laid out, and that may be later.

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

  /** Addresses of the pictures that the styles of an element name. */
  const styledPictures = (style: CSSStyleDeclaration, found: Found) => {
    for (const name of pictureStyles) {
      const value = style[name];
      if (!value?.includes('url(')) continue;
      // Of a set only one is asked for, and which one it is can be told only when it has come.
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

  /** The address as the network knows it; undefined for what is not asked of the network. */
  const fullUrl = (url: string): string | undefined => {
    try {
      const full = new URL(url, document.baseURI);
      full.hash = '';
      // A drawing out of another document is used only from the same origin.
      return /^https?:$/.test(full.protocol) ? full.href : undefined;
    } catch {
      return undefined;
    }
  };

  /** A second element with the same picture shares its request, and tells when it ends. */
  const sharedLoad = (url: string, crossOrigin: boolean) => {
    const image = new Image();
    if (crossOrigin) image.crossOrigin = 'anonymous';
    image.src = url;
    return image.complete ? undefined : ended(image, 'load');
  };

  const untilOneIsNamed = async (urls: readonly string[]) => {
    while (!urls.some((url) => finishedUrls().has(url))) await tintype.pause(50);
  };

  /** Everything that has come or failed; the browser keeps 250 unless it is told otherwise. */
  const finishedUrls = () => new Set(performance.getEntriesByType('resource').map(({ name }) => name.split('#')[0]));

  /** One promise for each picture in view that is still on its way. */
  const picturesUnderWay = () => {
    const found: Found = { waits: [], pictures: new Set(), masks: new Set(), choices: [] };
    for (const element of tintype.elementsInView()) {
      if (element.localName === 'img') {
        if (!(element as HTMLImageElement).complete) found.waits.push(ended(element, 'load'));
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

  /** What fonts and pictures in view are waited for. */
  const underWay = () => {
    // Fonts begin to load when a text that uses them is laid out, pictures of style sheets too.
    document.documentElement?.getBoundingClientRect();
    return [...(document.fonts.status === 'loading' ? [document.fonts.ready] : []), ...picturesUnderWay()];
  };

  const isThereInView = () => underWay().length === 0;

  /** Until fonts and pictures in view are there, also those that come into view when others have taken their room. */
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
