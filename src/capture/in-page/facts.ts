// Runs inside the page: collects the facts about it.
import type { Facts, PictureRegion } from '../in-page-types.ts';

export default function () {
  const isPictured = (element: Element, region: PictureRegion): boolean => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    // Smaller elements are tracking pixels or empty placeholders.
    if (right - left < 8 || bottom - top < 8) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const [x, y, width, height] = windowBox(region);
    return right > x && left < x + width && bottom > y && top < y + height;
  };

  /** The region in window coordinates. A right-to-left page extends to the left of its origin. */
  const windowBox = (region: PictureRegion): [number, number, number, number] => {
    if (region === 'view') return [0, 0, innerWidth, innerHeight];
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (region === 'page') return [-scrollX - scrollWidth, -scrollY, 2 * scrollWidth, scrollHeight];
    return [region.x - scrollX, region.y - scrollY, region.width, region.height];
  };

  const isBroken = (image: HTMLImageElement) => image.currentSrc !== '' && image.complete && image.naturalWidth === 0;
  const isMissing = (image: HTMLImageElement) =>
    image.currentSrc !== '' && (!image.complete || image.naturalWidth === 0);

  /** Counts background images with an error status. The status is hidden for other sites unless they allow it. */
  const refusedBackgrounds = (region: PictureRegion): number => {
    const refused = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ initiatorType, responseStatus }) => initiatorType === 'css' && responseStatus >= 400)
      .map(({ name }) => `url("${name}")`);
    if (refused.length === 0) return 0;
    const elements = [...document.querySelectorAll('body, body *')].slice(0, 5000);
    return elements.filter((element) => {
      const { backgroundImage } = getComputedStyle(element);
      return (
        backgroundImage !== 'none' &&
        refused.some((url) => backgroundImage.includes(url)) &&
        isPictured(element, region)
      );
    }).length;
  };

  const passwordFields = 'input[type="password"], input[autocomplete~="current-password"]';

  const asksForPassword = () =>
    [...document.querySelectorAll(passwordFields)]
      .slice(0, 20)
      .some((field) => field.checkVisibility({ opacityProperty: true, visibilityProperty: true }));

  const facts = (region: PictureRegion): Facts => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const status = navigation?.responseStatus ?? 0;
    const images = [...document.images];
    const text = tintype.visibleText(2000);
    return {
      // Titles and addresses can be very long; responses and headers need not contain all of it.
      title: document.title.slice(0, 1000),
      url: location.href.slice(0, 8192),
      status,
      blank: !tintype.hasContent(),
      wall: tintype.wallSigns(text),
      asksForPassword: asksForPassword(),
      isShort: text.length < 2000,
      failedImages: images.filter((image) => isBroken(image) && image.checkVisibility()).length,
      failedInView:
        images.filter((image) => isMissing(image) && isPictured(image, region)).length + refusedBackgrounds(region),
      failedFonts: [...document.fonts].filter((font) => font.status === 'error').length,
    };
  };

  return { facts };
}
