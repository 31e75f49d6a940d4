// The parts of a program as highlight.js names them, one list for each line.
import type { HLJSApi } from 'highlight.js';
import { Parser } from 'htmlparser2';
import { lazily } from '../../kernel/lazily.ts';

/** `scope` is the class of highlight.js, such as hljs-keyword; '' for what has none. */
export type CodePart = { readonly text: string; readonly scope: string };
export type Highlight = (code: string, language: string) => readonly (readonly CodePart[])[];

/** Tried where no language is named. */
const common = ['typescript', 'python', 'go', 'rust', 'java', 'bash', 'json', 'yaml', 'sql', 'css', 'xml'];

/** Loaded for the first card that shows code. */
export const loadHighlight = lazily(async (): Promise<Highlight> => {
  const { default: highlighter } = await import('highlight.js/lib/common');
  return (code, language) => linesOf(markupOf(highlighter, code, language));
});

/** `language` is a name, an ending or a file: `ts`, `src/sign.ts`. */
function markupOf(highlighter: HLJSApi, code: string, language: string): string {
  const name = language.trim().toLowerCase().split('.').at(-1) ?? '';
  return highlighter.getLanguage(name)
    ? highlighter.highlight(code, { language: name, ignoreIllegals: true }).value
    : highlighter.highlightAuto(code, common).value;
}

function linesOf(markup: string): CodePart[][] {
  const lines: CodePart[][] = [[]];
  const scopes: string[] = [];
  const parser = new Parser({
    onopentag: (_, { class: scope = '' }) => void scopes.push(scope),
    onclosetag: () => void scopes.pop(),
    ontext(text) {
      for (const [i, line] of text.split('\n').entries()) {
        if (i > 0) lines.push([]);
        if (line !== '') lines.at(-1)?.push({ text: line, scope: scopes.at(-1) ?? '' });
      }
    },
  });
  parser.end(markup);
  return lines;
}
