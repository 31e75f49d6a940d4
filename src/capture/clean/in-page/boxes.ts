// Runs in the page, after overlays.ts. Hides the boxes that blocked requests left empty, and collects the names by which
// the lists hide elements.
import type { Names } from '../in-page-types.ts';

export default function () {
  const page = globalThis.tintypePage;
  const labels =
    /^(?:ads?|advert|advertisement|advertising|sponsored|sponsored content|promoted|anzeige|werbung|publicité|pub|publicidad|anuncio|pubblicità|publicidade|advertentie|reklama|reklam|annons|annonse|annonce|реклама|広告|广告|廣告|광고)[ :.–-]*$/iu;

  const addressesOf = (element: Element) => {
    const { currentSrc, src } = element as HTMLImageElement;
    const { data } = element as HTMLObjectElement;
    return [currentSrc, src, data, element.getAttribute('src')]
      .filter((value): value is string => typeof value === 'string' && value !== '')
      .map((value) => new URL(value, document.baseURI).href);
  };

  /** Hides the element, and the boxes around it that are empty or only say "Advertisement". */
  const close = (element: HTMLElement) => {
    page.hide(element);
    for (let up = page.parentOf(element); up; up = page.parentOf(up)) {
      if (up.matches('body, html, main, article, section, header, footer, nav, td, li')) return;
      const text = page.textOf(up, undefined, 200);
      if ((text !== '' && !labels.test(text)) || page.mediaIn(up).length > 0) return;
      page.hide(up as HTMLElement);
    }
  };

  const closeBoxes = (urls: readonly string[]): number => {
    const blocked = new Set(urls);
    const boxes = page
      .descendantsOf(document, 20000)
      .filter((element) => element.matches('img, iframe, frame, embed, object, video, audio'))
      .filter((element) => addressesOf(element).some((address) => blocked.has(address)));
    for (const box of boxes) close(box);
    return boxes.length;
  };

  // The server looks each name up in its lists, so their number and length are limited, also where one element has a million
  // classes. Ordinary pages have fewer.
  const mostNames = 10000;
  const mostHrefs = 1000;
  const mostCharacters = 300000;

  const namesInUse = (): Names => {
    const [classes, ids, hrefs] = [new Set<string>(), new Set<string>(), new Set<string>()];
    let left = mostCharacters;
    const add = (names: Set<string>, name: string | null, most: number, longest: number) => {
      if (!name || name.length > longest || names.size >= most || names.has(name)) return;
      left -= name.length;
      names.add(name);
    };
    for (const element of document.querySelectorAll('[class], [id], a[href]')) {
      const { classList } = element;
      const count = Math.min(classList.length, mostNames);
      for (let at = 0; at < count && left > 0; at++) add(classes, classList[at], mostNames, 200);
      add(ids, element.id, mostNames, 200);
      add(hrefs, element.getAttribute('href'), mostHrefs, 500);
      if (left <= 0) break;
    }
    return { classes: [...classes], ids: [...ids], hrefs: [...hrefs] };
  };

  let adSheet: CSSStyleSheet | undefined;
  let textLength: number | undefined;

  /** One sheet, replaced each time. If it would hide most of the text, the list is wrong for this page and is not applied. */
  const applyAds = (css: string): void => {
    adSheet ??= new CSSStyleSheet();
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== adSheet);
    textLength ??= page.textOf(document.body).length;
    adSheet.replaceSync(css);
    document.adoptedStyleSheets = [...others, adSheet];
    if (page.textOf(document.body).length < textLength / 2) document.adoptedStyleSheets = others;
  };

  return { closeBoxes, namesInUse, applyAds };
}
