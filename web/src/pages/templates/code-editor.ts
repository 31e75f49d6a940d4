// The text editor: CodeMirror with HTML, CSS and our {{tags}}. Loaded only by the template editor. It stands in a shadow
// root, where its styles are adopted style sheets: the content security policy allows no <style> element.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
} from '@codemirror/view';
import { parser as cssParser } from '@lezer/css';
import { tags } from '@lezer/highlight';
import { configureNesting, parser as htmlParser } from '@lezer/html';

export type Mistake = { readonly line: number; readonly column: number };

/** What completion offers. */
export type Known = {
  readonly variables: readonly { name: string; type: string }[];
  readonly files: readonly string[];
};

export type CodeEditor = {
  setText(text: string): void;
  mark(mistake: Mistake | undefined): void;
  goTo(mistake: Mistake): void;
  focus(): void;
  destroy(): void;
};

type Options = {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly known: () => Known;
};

export function createCodeEditor({ parent, text, onChange, known }: Options): CodeEditor {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const extensions: Extension[] = [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    htmlLanguage,
    syntaxHighlighting(colors),
    tagMarks,
    mistakeField,
    autocompletion({ override: [(context) => complete(context, known())], icons: false }),
    // Escape, then Tab, leaves the editor: CodeMirror stops taking Tab for a moment after Escape.
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.contentAttributes.of({
      'aria-label': 'HTML and CSS of the template',
      'aria-describedby': 'editor-help',
      spellcheck: 'false',
    }),
    EditorState.tabSize.of(2),
    typeOverSelection,
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
  const help = document.createElement('p');
  help.id = 'editor-help';
  help.hidden = true;
  help.textContent = 'Press Escape, then Tab, to leave the editor.';
  root.append(help);
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  return {
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: (mistake) => view.dispatch({ effects: setMistake.of(mistake) }),
    goTo(mistake) {
      view.dispatch({ selection: { anchor: offsetOf(view.state, mistake) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    destroy() {
      view.destroy();
      root.replaceChildren();
    },
  };
}

/** If the browser replaced a selection of several lines, it would write style attributes, which the policy refuses. */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing) return false;
    if (view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    event.preventDefault();
    return true;
  },
});

// HTML without scripts: CodeMirror's own package would also bring a parser of JavaScript.
const htmlLanguage = LRLanguage.define({
  name: 'html',
  parser: htmlParser.configure({
    wrap: configureNesting(
      [{ tag: 'style', parser: cssParser }],
      [{ name: 'style', parser: cssParser.configure({ top: 'Styles' }) }],
    ),
  }),
});

const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--ink-2)', fontWeight: '500' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--ink-3)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--ok)' },
  { tag: [tags.number, tags.unit, tags.color, tags.atom], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
]);

const tagMatches = new MatchDecorator({
  regexp: /\{\{[^{}]{0,200}\}\}/g,
  decoration: Decoration.mark({ class: 'cm-tag' }),
});
const tagMarks = ViewPlugin.define(
  (view) => ({
    marks: tagMatches.createDeco(view),
    update(update) {
      this.marks = tagMatches.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

const setMistake = StateEffect.define<Mistake | undefined>();
const mistakeField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setMistake)) return effect.value ? marksOf(transaction.state, effect.value) : Decoration.none;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function offsetOf({ doc }: EditorState, { line, column }: Mistake): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(from + Math.max(0, column - 1), to);
}

/** The line, and the word or tag at the place of the mistake. */
function marksOf(state: EditorState, mistake: Mistake): DecorationSet {
  const at = offsetOf(state, mistake);
  const line = state.doc.lineAt(at);
  const [word = ''] = /^(?:\{\{[^{}]*\}*|<[^\s>]*>?|[\w-]+|\S)/.exec(line.text.slice(at - line.from)) ?? [];
  const from = word === '' ? Math.max(line.from, at - 1) : at;
  const to = word === '' ? at : at + word.length;
  return Decoration.set([
    Decoration.line({ class: 'cm-mistake-line' }).range(line.from),
    ...(to > from ? [Decoration.mark({ class: 'cm-mistake' }).range(from, to)] : []),
  ]);
}

const blocks: readonly { readonly label: string; readonly detail?: string }[] = [
  { label: '#if', detail: 'show if there is a value' },
  { label: '#unless', detail: 'show if there is none' },
  { label: '#each', detail: 'repeat for every item' },
  { label: 'else' },
  { label: '/if' },
  { label: '/unless' },
  { label: '/each' },
  { label: 'this', detail: 'the item, in each' },
];

const elements = ['div', 'p', 'span', 'h1', 'h2', 'ul', 'li', 'img', 'strong', 'em', 'svg', 'style', 'br'];

const keywords = new Set(['this', 'else']);

/** The names in the text, also those that the server has not read yet. */
const namesIn = ({ state }: CompletionContext): string[] =>
  [...state.doc.toString().matchAll(/\{\{(?:#(?:if|unless|each) )?([A-Za-z]\w{0,63})\}\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !keywords.has(name));

function complete(context: CompletionContext, { variables, files }: Known): CompletionResult | null {
  const close = context.state.sliceDoc(context.pos, context.pos + 2) === '}}' ? '' : '}}';
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  const names = [...new Set([...types.keys(), ...namesIn(context)])].map((name) => ({
    label: name,
    apply: name + close,
    detail: types.get(name) ?? 'new',
    type: 'variable',
  }));
  const inBlock = context.matchBefore(/\{\{#(?:if|unless|each) +\w*/);
  if (inBlock) return { from: inBlock.from + inBlock.text.lastIndexOf(' ') + 1, options: names };
  const inTag = context.matchBefore(/\{\{[#/]?\w*/);
  if (inTag) {
    const words = blocks.map(({ label, detail }) => ({
      label,
      apply: label.startsWith('#') ? `${label} ` : label + close,
      ...(detail !== undefined && { detail }),
      type: 'keyword',
    }));
    return { from: inTag.from + 2, options: [...names, ...words] };
  }
  const inSource = context.matchBefore(/(?:src="|url\()[\w. -]*/);
  if (inSource) {
    const from = inSource.from + (inSource.text.startsWith('src') ? 5 : 4);
    return { from, options: files.map((label) => ({ label, type: 'text' })) };
  }
  const inElement = context.matchBefore(/<\w*/);
  if (inElement) return { from: inElement.from + 1, options: elements.map((label) => ({ label, type: 'type' })) };
  return null;
}

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
  // The ring is around the element that it stands in: the line numbers would cover part of it here.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace", lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none', paddingLeft: '6px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--sunken) 70%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--ring) 28%, transparent)',
  },
  '.cm-tag': { backgroundColor: 'var(--accent-soft)', borderRadius: '3px' },
  '.cm-tag, .cm-tag span': { color: 'var(--accent)', fontWeight: '600' },
  '.cm-mistake-line': { backgroundColor: 'var(--danger-soft)' },
  '.cm-mistake': { textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '3px' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-pop)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '14em' },
  '.cm-tooltip-autocomplete ul li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--ink)', color: 'var(--on-ink)' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
});
