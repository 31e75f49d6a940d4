// Runs inside the page: copies what a reader sees into a document of its own. One pass over the page as it is laid out, with
// shadow roots, slots and frames of the same origin; then texts that turned out to be covered are taken out again.
import type {
  Cover,
  DoubtfulText,
  ElementState,
  FullCopy,
  Inherited,
  TextBefore,
  VisibleCopy,
} from './reading-types.ts';

export default function () {
  // With these, a page of any size is read in seconds. The time is for a machine that is too busy.
  const mostNodes = 250_000;
  const mostMs = 10_000;
  /** Deeper elements are not read. The parser nests 512 at most; scripts can nest more. */
  const mostDepth = 1500;
  /** Deeper ones are put into the element at this depth: the work of the extractor grows with the depth. */
  const mostCopiedDepth = 200;
  const mostFrames = 50;
  const mostMatches = 1000;

  const isBlank = /^[ \t\n\r\f]*$/;

  const visibleCopy = (selector: string | undefined, mostText: number, nowhere: string): VisibleCopy => {
    const copy = document.implementation.createHTMLDocument(reader.cut(reader.title(document), 2000));
    const body = copy.body;
    const deepest = selector === undefined ? mostCopiedDepth : mostDepth;
    const full = selector === undefined ? reader.createFullCopy(mostCopiedDepth, nowhere) : undefined;
    const states: ElementState[] = [];
    const texts: DoubtfulText[] = [];
    const covers: Cover[] = [];
    const matches = new Map<Element, ElementState | undefined>();
    if (selector !== undefined) {
      const found = reader.all(document, selector);
      for (let i = 0; i < found.length && i < mostMatches; i++) matches.set(found[i] as Element, undefined);
      if (matches.size === 0) return { document: copy, missing: 'not found', isCut: false, work: 0 };
    }
    const end = performance.now() + mostMs;
    let nodes = 0;
    let length = 0;
    let work = 0;
    let frames = 0;
    let isCut = false;
    let last: TextBefore | undefined;

    const isCopied = ({ depth, name, parent }: ElementState): boolean =>
      depth <= deepest && name !== 'html' && !(name === 'body' && !parent?.parent);

    /** The copy of an element, with those of its ancestors. */
    const copyOf = (state: ElementState): Element => {
      const missing: ElementState[] = [];
      let at: ElementState | null = state;
      for (; at && !at.copy; at = at.parent) missing.push(at);
      let into: Element = at?.copy ?? body;
      for (const each of missing.reverse()) {
        if (isCopied(each)) {
          const own = each.twin ? (copy.importNode(each.twin) as Element) : reader.makeCopy(each, copy, nowhere);
          into.appendChild(own);
          into = own;
        } else if (each.depth > deepest && !each.isInline) into.appendChild(copy.createTextNode(' '));
        each.copy = into;
      }
      return into;
    };

    const addText = (node: Text, state: ElementState) => {
      const { data } = node;
      // A blank between two elements separates words. In the copy it goes to the nearest element that exists.
      if (isBlank.test(data)) {
        // A grid and a flex box do not show it.
        if (state.isPreformatted && /grid|flex/.test(state.style.display)) return;
        full?.addSeen(copy.createTextNode(state.isPreformatted ? data.slice(0, 1000) : ' '), state);
        if (state.isPreformatted) copyOf(state).appendChild(copy.createTextNode(data.slice(0, 1000)));
        if (state.isPreformatted) return;
        let at: ElementState | null = state;
        while (at && !at.copy) at = at.parent;
        const last = at?.copy?.lastChild;
        if (last && !(last.nodeType === 3 && / $/.test((last as Text).data)))
          at?.copy?.appendChild(copy.createTextNode(' '));
        return;
      }
      const seen =
        reader.isUncopied(state, data) || reader.isIconName(state, data) ? undefined : reader.seenText(node, state);
      if (!seen) return full?.addHidden(node, state);
      const shown = reader.withoutInvisible(reader.cut(data, mostText - length));
      // Blanks of code that keep their width in HTML.
      const text = state.isPreformatted ? shown.replaceAll('\u00A0', ' ') : shown;
      length += text.length;
      work += text.length * Math.min(state.depth, mostCopiedDepth);
      if (length >= mostText) isCut = true;
      const item = rowItem(state);
      const isItemStart = item !== undefined && !item.copy && /^(div|p|button|label)$/.test(item.name);
      const into = copyOf(state);
      const isOther = isItemStart || (last && reader.isApart(last, text, seen.box, state, item !== undefined));
      const first = copy.createTextNode(isOther ? ` ${text}` : text);
      last = { box: seen.last, name: state.name, end: text.slice(-1), isInitial: reader.isInitial(state) };
      into.appendChild(first);
      const hasLines = !state.isPreformatted && text.includes('\n') && /^(pre|break)/.test(state.style.whiteSpace);
      const own = hasLines ? keepLines(first) : first;
      texts.push({ copy: own, twin: full?.addSeen(own, state), state, ...seen });
    };

    const rowItem = (state: ElementState): ElementState | undefined => {
      let at: ElementState | null = state;
      for (let i = 0; at && i < 3 && !state.isPreformatted; i++, at = at.parent) if (at.isRowItem) return at;
      return undefined;
    };

    /** The lines of a text that is shown as it is written. */
    const keepLines = (text: Text): Node => {
      const span = copy.createElement('span');
      for (const [i, line] of text.data.split('\n').slice(0, 20_000).entries()) {
        if (i > 0) span.appendChild(copy.createElement('br'));
        span.appendChild(copy.createTextNode(line));
      }
      text.replaceWith(span);
      return span;
    };

    const addLeaf = (state: ElementState, node: Node) => {
      copyOf(state.parent ?? state).appendChild(node);
      texts.push({ copy: node, twin: full?.addSeen(node, state), state, box: reader.rectOf(state.element) });
    };

    /** Adds what an element shows by itself. Returns whether its children are read. */
    const addOwn = (state: ElementState): boolean => {
      const { element, name } = state;
      // A button in code copies it.
      if (name === 'wbr' || (name === 'button' && state.isPreformatted)) return false;
      const formula = reader.formulaOf(state, copy);
      if (formula) {
        addLeaf(state, formula);
        return false;
      }
      if (name === 'br' || name === 'hr') copyOf(state);
      else if (reader.isLeaf(name)) {
        const leaf = reader.copyLeaf(state, copy, nowhere);
        if (leaf) addLeaf(state, leaf);
        else full?.addHidden(element, state);
      } else if (name === 'svg' || reader.isIconBox(state)) {
        if (reader.oneIn(element, 'text, foreignObject')) return true;
        const label = reader.drawingLabel(state);
        length += label.length;
        work += label.length * Math.min(state.depth, mostCopiedDepth);
        if (label) addLeaf(state, copy.createTextNode(` ${label} `));
      } else if (reader.isLineNumbers(state)) return false;
      else {
        // The cells of a table stay in their columns.
        if ((name === 'td' || name === 'th') && state.parent && reader.hasSeenBox(state, 1)) copyOf(state);
        return true;
      }
      return false;
    };

    /** The document of a frame of the same origin that can be seen. */
    const frameDocument = (state: ElementState): Document | null => {
      if ((state.name !== 'iframe' && state.name !== 'frame') || frames >= mostFrames) return null;
      if (!reader.hasSeenBox(state, 4)) return null;
      frames++;
      return (state.element as HTMLIFrameElement).contentDocument;
    };

    const stack: { readonly state: ElementState; readonly nextChild: () => Node | undefined }[] = [];
    const open = (element: Element, parent: Inherited, folds = false) => {
      const state = parent.depth >= mostDepth ? undefined : reader.enter(element, parent, folds);
      if (!state) {
        if (parent.depth >= mostDepth) isCut = true;
        full?.addHidden(element, parent);
        return;
      }
      states.push(state);
      work += 10 * Math.min(state.depth, mostCopiedDepth);
      if (matches.has(element)) matches.set(element, state);
      const cover = reader.coverOf(state);
      if (cover) covers.push(cover);
      const inFrame = frameDocument(state);
      const root = inFrame && reader.rootElement(inFrame);
      if (root || !reader.isLeaf(state.name)) full?.add(state, isCopied(state));
      if (root) open(root, reader.startOf(inFrame, state));
      else if (addOwn(state)) stack.push({ state, nextChild: reader.childrenOf(state) });
    };

    const root = reader.rootElement(document);
    if (root) open(root, reader.startOf(document, null));
    for (let level = stack.at(-1); level; level = stack.at(-1)) {
      const { state, nextChild } = level;
      const node = nextChild();
      if (!node) {
        stack.pop();
        // A link without text is still a link that can be seen: an icon, or a box over a card.
        if (state.name === 'a' && !state.copy && reader.attribute(state.element, 'href') && reader.hasSeenBox(state, 4))
          copyOf(state);
        if (isCopied(state)) full?.close(state);
        continue;
      }
      if (++nodes > mostNodes || length >= mostText || (nodes % 512 === 0 && performance.now() > end)) {
        isCut = true;
        break;
      }
      const type = reader.nodeType(node);
      if (type === 3) addText(node as Text, state);
      else if (type === 1) openChild(node as Element, state);
    }

    function openChild(element: Element, state: ElementState): void {
      const isClosed = state.name === 'details' && !(state.element as HTMLDetailsElement).open;
      const isSummary = isClosed && reader.localName(element) === 'summary';
      open(element, state, isClosed && !isSummary);
    }

    takeOutHidden(texts, states, covers, body, full);
    return { document: copy, full, isCut, work, ...(selector !== undefined && selectedOf(matches)) };
  };

  const takeOutHidden = (
    texts: readonly DoubtfulText[],
    states: readonly ElementState[],
    covers: readonly Cover[],
    body: Element,
    full: FullCopy | undefined,
  ) => {
    const isCovered = reader.coverTest(covers, document);
    const hasBackdrop = reader.backdropTest(states);
    for (const text of texts)
      if (!text.state.isFolded && (isCovered(text) || (text.color && !hasBackdrop(text)))) {
        remove(text.copy, body);
        if (text.twin) full?.hide(text.twin);
      }
  };

  /** With the elements that had nothing else in them. */
  const remove = (node: Node, body: Element) => {
    let at: Node | null = node;
    while (at && at !== body) {
      const parent: Node | null = at.parentNode;
      parent?.removeChild(at);
      if (!parent || parent.firstChild !== null || /^t[dhr]$/i.test(parent.nodeName)) return;
      at = parent;
    }
  };

  /** The first match with something in it; otherwise the first that can be seen. */
  const selectedOf = (matches: ReadonlyMap<Element, ElementState | undefined>): Partial<VisibleCopy> => {
    let empty: ElementState | undefined;
    for (const state of matches.values()) {
      if (state?.copy?.isConnected && state.copy.firstChild) return { selected: state.copy };
      if (state && !empty && reader.hasSeenBox(state, 1)) empty = state;
    }
    return empty ? { selected: document.createElement('div') } : { missing: 'hidden' };
  };

  return { visibleCopy };
}
