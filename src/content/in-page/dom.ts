// Runs inside the page: access to its DOM that the page cannot redirect. A form with an input named `children` hides its
// own property of that name, even from an isolated world, so properties are read with the getters of the prototypes.

export default function () {
  const getter = <T extends object, K extends keyof T>(prototype: T, name: K): ((of: T) => T[K]) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as () => T[K];
    return (of) => get.call(of);
  };
  const node = Node.prototype;
  const element = Element.prototype;
  const { getAttribute, hasAttributes, checkVisibility, getBoundingClientRect } = element;
  const { querySelectorAll, querySelector } = Document.prototype;
  const { querySelector: querySelectorIn } = element;

  const attribute = (of: Element, name: string): string | null => getAttribute.call(of, name);

  const all = (of: Document, selector: string): NodeListOf<Element> => querySelectorAll.call(of, selector);

  /** The first that is wanted, of the first 50 that match. */
  const firstOf = (of: Document, selector: string, isWanted: (element: Element) => boolean): Element | null => {
    const found = all(of, selector);
    for (let i = 0; i < found.length && i < 50; i++) if (isWanted(found[i] as Element)) return found[i] as Element;
    return null;
  };

  return {
    firstChild: getter(node, 'firstChild'),
    lastChild: getter(node, 'lastChild'),
    nextSibling: getter(node, 'nextSibling'),
    previousSibling: getter(node, 'previousSibling'),
    nodeType: getter(node, 'nodeType'),
    ownerDocument: getter(node, 'ownerDocument'),
    textContent: getter(node, 'textContent'),
    previousElement: getter(element, 'previousElementSibling'),
    nextElement: getter(element, 'nextElementSibling'),
    lastElement: getter(element, 'lastElementChild'),
    localName: getter(element, 'localName'),
    namespace: getter(element, 'namespaceURI'),
    shadowRoot: getter(element, 'shadowRoot'),
    scrollLeft: getter(element, 'scrollLeft'),
    scrollTop: getter(element, 'scrollTop'),
    scrollWidth: getter(element, 'scrollWidth'),
    scrollHeight: getter(element, 'scrollHeight'),
    body: getter(Document.prototype, 'body'),
    title: getter(Document.prototype, 'title'),
    rootElement: getter(Document.prototype, 'documentElement'),
    defaultView: getter(Document.prototype, 'defaultView'),
    attribute,
    hasAttributes: (of: Element): boolean => hasAttributes.call(of),
    /** An attribute that is cut: a page may put megabytes into one. */
    shortAttribute: (of: Element, name: string, length: number) => attribute(of, name)?.slice(0, length) ?? '',
    rectOf: (of: Element): DOMRect => getBoundingClientRect.call(of),
    isRendered: (of: Element, options?: CheckVisibilityOptions): boolean => checkVisibility.call(of, options),
    all,
    firstOf,
    one: (of: Document, selector: string): Element | null => querySelector.call(of, selector),
    oneIn: (of: Element, selector: string): Element | null => querySelectorIn.call(of, selector),
  };
}
