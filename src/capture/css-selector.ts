// A list of CSS selectors, checked before any page is loaded. What is inside parentheses, and whether a pseudo-class
// exists, only the browser knows: see checkSelectors in stages.ts.
import { type Kind, text } from '../kernel/kinds.ts';

const escaped = String.raw`\\(?:[^\n\r\f]|$)`;
const nameStart = String.raw`(?:[A-Za-z_]|[^\0-\x7f]|${escaped})`;
/** The space that ends an escape of digits, as in `\\31 0`, belongs to it. */
const escapeEnd = String.raw`(?<=\\[\dA-Fa-f]{1,6})[ \t\n\r\f]`;
const name = String.raw`(?:--|-?${nameStart})(?:[\w-]|[^\0-\x7f]|${escaped}|${escapeEnd})*`;
const space = String.raw`(?:[ \t\n\r\f]|/\*(?:[^*]|\*(?!/))*(?:\*/|$))*`;
const string = String.raw`(?:"(?:[^"\\\n\r\f]|\\[^])*(?:"|\\?$)|'(?:[^'\\\n\r\f]|\\[^])*(?:'|\\?$))`;
const namespace = String.raw`(?:(?:\*|${name})?\|(?![|=]))?`;
const comparison = `[~|^$*]?=${space}(?:${name}|${string})${space}(?:${name}${space})?`;

const at = (pattern: string) => new RegExp(pattern, 'uy');
const spaces = at(space);
const elementName = at(`${namespace}(?:\\*|${name})`);
const attribute = at(`\\[${space}${namespace}${name}${space}(?:${comparison})?(?:\\]|$)`);
const simple = at(`&|[.#]${name}|::?${name}`);
const between = at(`[>+~,]`);
const anyString = at(string);

/** Where the pattern's match at this place ends, or undefined. */
function endOf(pattern: RegExp, selector: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(selector) ? pattern.lastIndex : undefined;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The end of the parentheses that begin here. At the end of the text everything is closed, by the rules of CSS. */
function afterParentheses(selector: string, from: number): number {
  const open: string[] = [];
  for (let i = from; i < selector.length; i++) {
    const character = selector[i] ?? '';
    if (character === '\\') i++;
    else if (character === '"' || character === "'") i = (endOf(anyString, selector, i) ?? i + 1) - 1;
    else if (closing[character] !== undefined) open.push(closing[character]);
    else if (character === open.at(-1)) open.pop();
    if (open.length === 0) return i + 1;
  }
  return selector.length;
}

/** The end of the selector for one element, such as `a.b[c]:not(.d)`, or undefined if there is none here. */
function afterCompound(selector: string, from: number): number | undefined {
  let end = endOf(elementName, selector, from) ?? from;
  for (;;) {
    const next = endOf(attribute, selector, end) ?? endOf(simple, selector, end);
    if (next === undefined) return end === from ? undefined : end;
    end = selector[next] === '(' ? afterParentheses(selector, next) : next;
  }
}

export function isSelectorList(selector: string): boolean {
  const skipSpaces = (from: number) => endOf(spaces, selector, from) ?? from;
  let end = skipSpaces(0);
  for (;;) {
    const after = afterCompound(selector, end);
    if (after === undefined) return false;
    end = skipSpaces(after);
    if (end === selector.length) return true;
    const combined = endOf(between, selector, end);
    if (combined === undefined && end === after) return false;
    end = skipSpaces(combined ?? end);
  }
}

export function cssSelector(what = 'a valid CSS selector'): Kind<string> {
  const anyText = text(what, 1000);
  return {
    ...anyText,
    parse: (value) => {
      const selector = anyText.parse(value);
      return selector !== undefined && isSelectorList(selector) ? selector : undefined;
    },
  };
}
