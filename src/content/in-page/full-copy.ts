// Runs inside the page: a copy of the whole page for the extractor, which judges a part by all that is in it, hidden or not.
// Whatever is hidden has a mark, and is taken out of what the extractor finds.
import type { FullCopy, Inherited } from './reading-types.ts';

export default function () {
  const mark = 'data-unseen';
  /** A page may hide more than it shows. If it hides more than this, only what is visible is searched. */
  const mostHidden = 50_000;
  const mostHiddenText = 1_000_000;
  const mostMetas = 500;

  /** The extractor leaves these out itself. */
  const isLeftOut = (element: Element): boolean =>
    reader.attribute(element, 'hidden') !== null ||
    reader.attribute(element, 'aria-hidden') === 'true' ||
    /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(reader.shortAttribute(element, 'style', 1000));

  /** It looks for the title and the author, to leave them out of the text if they are there too. */
  const addMetas = (head: Element) => {
    const found = reader.all(document, 'meta[content]');
    for (let i = 0; i < found.length && i < mostMetas; i++) {
      const meta = head.ownerDocument.createElement('meta');
      for (const key of ['name', 'property', 'content'])
        meta.setAttribute(key, reader.shortAttribute(found[i] as Element, key, 300));
      head.appendChild(meta);
    }
  };

  const createFullCopy = (deepest: number, nowhere: string): FullCopy => {
    const copy = document.implementation.createHTMLDocument(reader.cut(reader.title(document), 2000));
    let nodes = 0;
    let length = 0;
    let work = 0;
    addMetas(copy.head);

    const around = (state: Inherited): Element => state.twin ?? state.parent?.twin ?? copy.body;

    /** A span with nothing but a text: the extractor moves such a span, but never takes it apart. */
    const hiddenText = (text: string): Element => {
      const span = copy.createElement('span');
      span.setAttribute(mark, '');
      span.textContent = text;
      return span;
    };

    const addHidden = (element: Element, into: Element, depth: number) => {
      const name = reader.localName(element);
      if (reader.isUnread(name) || isLeftOut(element) || depth > deepest || ++nodes > mostHidden) return;
      const isLeaf = reader.isLeaf(name);
      const own = isLeaf ? reader.bareLeaf(name, copy) : reader.makeCopy({ element, name }, copy, nowhere);
      own.setAttribute(mark, '');
      own.removeAttribute('data-href');
      own.removeAttribute('data-label');
      into.appendChild(own);
      work += 10 * depth;
      if (isLeaf) return;
      for (let child = reader.firstChild(element); child && nodes <= mostHidden; child = reader.nextSibling(child)) {
        const type = reader.nodeType(child);
        if (type === 3) addHiddenText((child as Text).data, own, depth);
        else if (type === 1) addHidden(child as Element, own, depth + 1);
      }
    };

    const addHiddenText = (text: string, into: Element, depth: number) => {
      length += text.length;
      if (++nodes > mostHidden || length > mostHiddenText) return;
      work += text.length * depth;
      into.appendChild(/\S/.test(text) ? hiddenText(text) : copy.createTextNode(' '));
    };

    return {
      document: copy,
      add(state, isCopied) {
        const into = around(state);
        state.twin = isCopied ? into.appendChild(reader.makeCopy(state, copy, nowhere)) : into;
        if (!isCopied && state.name === 'body')
          for (const key of ['class', 'id'])
            copy.body.setAttribute(key, reader.shortAttribute(state.element, key, 200));
      },
      close(state) {
        if (!state.copy && isLeftOut(state.element)) state.twin?.remove();
      },
      addSeen: (node, state) => around(state).appendChild(copy.importNode(node, true)),
      addHidden: (node, state) => {
        if (reader.nodeType(node) === 3)
          addHiddenText((node as Text).data, around(state), Math.min(state.depth, deepest));
        else addHidden(node as Element, around(state), state.depth + 1);
      },
      hide(node) {
        if (node.nodeType === 1 && !node.firstChild) (node as Element).setAttribute(mark, '');
        else (node as ChildNode).replaceWith(hiddenText(node.textContent ?? ''));
      },
      work: () => (nodes > mostHidden || length > mostHiddenText ? Number.POSITIVE_INFINITY : work),
    };
  };

  const empty = /^(img|input|select|textarea|video|object|embed|iframe|br|hr|td|th)$/;

  /** With the elements that have nothing else in them. */
  const takeOutMarked = (root: Element) => {
    for (const element of root.querySelectorAll(`[${mark}]`)) element.remove();
    for (const element of [...root.querySelectorAll('*')].reverse()) {
      if (element.firstElementChild || empty.test(element.localName)) continue;
      const text = element.textContent ?? '';
      if (text === '' || (reader.blockNames.has(element.localName) && !/\S/.test(text))) element.remove();
    }
  };

  return { createFullCopy, takeOutMarked };
}
