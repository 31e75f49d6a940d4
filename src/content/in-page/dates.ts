// Runs inside the page: dates as ISO 8601, and the element with the time at which the page was published.

export default function () {
  /** A date as ISO 8601. One without a time stays without. */
  const isoDate = (value: string | undefined | null): string | undefined => {
    const text = value?.trim().slice(0, 60);
    if (!text) return undefined;
    const day = /^(\d{4}-\d{2}-\d{2})$/.exec(text)?.[1];
    // 2024-05-01T10:00+0200 lacks a colon that Date needs.
    const date = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
    if (Number.isNaN(date.getTime()) || date.getFullYear() < 1500 || date.getFullYear() > 3000) return undefined;
    if (day) return day;
    if (/\d:\d/.test(text)) return date.toISOString();
    const two = (number: number) => String(number).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  };

  /** False for the time of a change, of a comment or of a teaser (its heading is a link). */
  const isOwnTime = (time: Element): boolean => {
    if (/dateModified/.test(reader.shortAttribute(time, 'itemprop', 100)) || reader.isOfPart(time)) return false;
    if (/(?:^|[\s_-])(?:updated|modified)(?:[\s_-]|$)/i.test(reader.shortAttribute(time, 'class', 200))) return false;
    const { closest } = Element.prototype;
    if (closest.call(time, '.comment, .comments, #comments')) return false;
    const article = closest.call(time, 'article');
    return (
      !article ||
      !reader.oneIn(article, ':is(h2, h3, h4) a[href], a[href] :is(h2, h3, h4)') ||
      reader.oneIn(article, 'h1') !== null
    );
  };

  /** The time of the page itself, if an element has it. */
  const ownTime = (page: Document): Element | null =>
    reader.firstOf(
      page,
      'article time[datetime], main time[datetime], time[pubdate], time[itemprop="datePublished"]',
      isOwnTime,
    );

  return { isoDate, ownTime };
}
