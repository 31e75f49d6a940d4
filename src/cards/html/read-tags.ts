// Reads the {{tags}} of a template with Handlebars' parser, and refuses everything but values, if, unless and each. In the text
// that it gives back each tag is a mark, so that the HTML can be parsed once, without values in it.
import { type AST, parseWithoutProcessing } from '@handlebars/parser';
import { type Place, placeIn, TemplateFault } from './html-template-types.ts';

export type Tag =
  | { readonly kind: 'show'; readonly name: string; readonly place: Place }
  | { readonly kind: 'open'; readonly block: 'if' | 'unless' | 'each'; readonly name: string; readonly place: Place }
  | { readonly kind: 'else' | 'close'; readonly place: Place };

export type Marked = {
  readonly text: string;
  readonly tags: readonly Tag[];
  /** Where a character of the marked text stands in the template. */
  placeOf(offset: number): Place;
};

// Characters for private use, which no font here has.
export const markStart = '\uE000';
export const markEnd = '\uE001';

/** The parser's time grows with the square of the depth. */
const mostTags = 1000;
const mostBlocks = 200;
const mostDepth = 16;
const blockNames = ['if', 'unless', 'each'] as const;
const usage = 'Use {{name}}, {{#if name}}, {{#unless name}} or {{#each name_items}}.';

export function readTags(source: string): Marked {
  const strange = source.search(/[\uE000\uE001\0]/);
  if (strange >= 0) throw new TemplateFault('This character cannot be used in a template.', placeIn(source, strange));
  refuseMany(source, '{{', mostTags, 'tags');
  for (const begin of ['{{#', '{{~#', '{{^', '{{~^']) refuseMany(source, begin, mostBlocks, 'blocks');
  const tags: Tag[] = [];
  const pieces: { readonly start: number; readonly text: string; readonly place: Place }[] = [];
  let text = '';
  const write = (piece: string, place: Place) => {
    pieces.push({ start: text.length, text: piece, place });
    text += piece;
  };
  const mark = (tag: Tag) => {
    write(markStart + tags.length + markEnd, tag.place);
    tags.push(tag);
  };

  const visitAll = (statements: readonly AST.Statement[], depth: number) => {
    for (const statement of statements) visit(statement, depth);
  };
  const visit = (statement: AST.Statement, depth: number) => {
    const place = placeOf(statement.loc);
    switch (statement.type) {
      case 'ContentStatement':
        return write((statement as AST.ContentStatement).value, place);
      case 'CommentStatement':
        return;
      case 'MustacheStatement':
        return mark(readValue(statement as AST.MustacheStatement, place));
      case 'BlockStatement': {
        const block = statement as AST.BlockStatement;
        if (depth >= mostDepth) throw new TemplateFault(`Blocks can be ${mostDepth} deep at most.`, place);
        mark(readBlock(block, place));
        visitAll(block.program?.body ?? [], depth + 1);
        if (block.inverse) {
          // An empty part has no place of its own.
          mark({ kind: 'else', place: placeOf(block.inverse.loc ?? block.loc) });
          visitAll(block.inverse.body, depth + 1);
        }
        return mark({ kind: 'close', place: endOf(statement.loc) });
      }
      default:
        throw new TemplateFault(`This tag cannot be used in a template. ${usage}`, place);
    }
  };
  visitAll(parsed(source).body, 0);

  // Every element asks for its place, so the lines are counted once.
  const pieceStarts = pieces.map(({ start }) => start);
  const lineStarts: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);

  return {
    text,
    tags,
    placeOf(offset) {
      const piece = pieces[Math.max(0, countUpTo(pieceStarts, offset) - 1)];
      if (piece === undefined) return { line: 1, column: 1 };
      if (piece.text.startsWith(markStart)) return piece.place;
      const linesBefore = countUpTo(lineStarts, offset);
      const lines = linesBefore - countUpTo(lineStarts, piece.start);
      if (lines === 0) return { line: piece.place.line, column: piece.place.column + offset - piece.start };
      return { line: piece.place.line + lines, column: offset - (lineStarts[linesBefore - 1] ?? 0) + 1 };
    },
  };
}

/** How many of the sorted numbers are at most `value`. */
function countUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function refuseMany(source: string, begin: string, most: number, what: string): void {
  let at = -1;
  for (let found = 0; found <= most; found++) {
    at = source.indexOf(begin, at + 1);
    if (at < 0) return;
  }
  throw new TemplateFault(`A template can have ${most} ${what} at most.`, placeIn(source, at));
}

function parsed(source: string): AST.Program {
  try {
    return parseWithoutProcessing(source);
  } catch (error) {
    throw faultOf(error as Error & { lineNumber?: number; column?: number }, source);
  }
}

/** The parser names its own tokens; its position is right. */
function faultOf(error: Error & { lineNumber?: number; column?: number }, source: string): TemplateFault {
  const mismatch = /^(\S+) doesn't match (\S+) - (\d+):(\d+)/.exec(error.message);
  if (mismatch) {
    const [, open, close, line, column] = mismatch;
    const place = { line: Number(line), column: Number(column) + 1 };
    return new TemplateFault(`{{#${open}}} is closed by {{/${close}}}.`, place);
  }
  if (error.message.includes("got 'EOF'")) return notClosed(source);
  const [, line] = /on line (\d+)/.exec(error.message) ?? [];
  const [, shown = '', dashes = ''] = /:\n(.*)\n(-*)\^/.exec(error.message) ?? [];
  const lineNumber = Number(line ?? error.lineNumber ?? 1);
  const whole = source.split('\n')[lineNumber - 1] ?? '';
  // The message shows the twenty characters before the mistake, and "..." if there are more.
  const before = shown.slice(0, dashes.length).replace(/^\.\.\./, '');
  const at = Math.max(0, whole.indexOf(before)) + before.length;
  const place = { line: lineNumber, column: Math.min(at, whole.length) + 1 };
  return new TemplateFault(`This tag cannot be read. ${usage}`, place);
}

/** Tags in comments are text. Comments become as many blanks, so that places stay the same. */
function withoutComments(source: string): string {
  let kept = '';
  let from = 0;
  for (const { index, 1: dashes } of source.matchAll(/\{\{~?!(--)?/g)) {
    if (index < from) continue;
    const end = dashes === undefined ? source.indexOf('}}', index) : endOfDashes(source, index);
    if (end < 0) break;
    kept += source.slice(from, index) + ' '.repeat(end + 2 - index);
    from = end + 2;
  }
  return kept + source.slice(from);
}

/** Where the braces are that end {{!-- --}}. */
function endOfDashes(source: string, index: number): number {
  const end = /--~?(?=\}\})/g;
  end.lastIndex = index + 5;
  const found = end.exec(source);
  return found ? found.index + found[0].length : -1;
}

/** The block, or the tag, that is still open at the end of the template. */
function notClosed(source: string): TemplateFault {
  const open: { readonly index: number; readonly tag: string }[] = [];
  const tags = withoutComments(source);
  for (const { index, 0: tag, 1: kind } of tags.matchAll(/\{\{~?([#^/]?)[^{}]{0,100}\}\}/g))
    if (kind === '/') open.pop();
    else if (kind !== '' && !/^\{\{~?\^~?\}\}$/.test(tag)) open.push({ index, tag });
  const last = open.at(-1);
  return last
    ? new TemplateFault(`${last.tag} is not closed.`, placeIn(source, last.index))
    : new TemplateFault(`This tag is not closed. ${usage}`, placeIn(source, Math.max(0, tags.lastIndexOf('{{'))));
}

const placeOf = ({ start }: AST.SourceLocation): Place => ({ line: start.line, column: start.column + 1 });
const endOf = ({ end }: AST.SourceLocation): Place => ({ line: end.line, column: Math.max(1, end.column) });

function readValue(statement: AST.MustacheStatement, place: Place): Tag {
  if (!statement.escaped) throw new TemplateFault('Use {{name}}: {{{name}}} and {{&name}} would insert HTML.', place);
  if (statement.params.length > 0 || statement.hash)
    throw new TemplateFault(`A value has no arguments. ${usage}`, place);
  return { kind: 'show', name: nameOf(statement.path, place), place };
}

function readBlock({ path, params, hash, program }: AST.BlockStatement, place: Place): Tag {
  const written = (path as AST.PathExpression).original;
  const block = blockNames.find((name) => name === written);
  if (block === undefined)
    throw new TemplateFault(`{{#${String(written).slice(0, 40)}}} is not known. ${usage}`, place);
  const [param] = params;
  if (param === undefined || params.length > 1 || hash || program?.blockParams)
    throw new TemplateFault(`{{#${block}}} takes the name of one variable.`, place);
  return { kind: 'open', block, name: nameOf(param, place), place };
}

function nameOf(expression: AST.Expression, place: Place): string {
  const { type, original, data, depth, parts } = expression as AST.PathExpression;
  if (type === 'PathExpression' && original === 'this') return 'this';
  if (type === 'PathExpression' && data && ['@index', '@first', '@last', '@more'].includes(original)) return original;
  const name = type === 'PathExpression' && !data && depth === 0 && parts.length === 1 ? original : '';
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    throw new TemplateFault('The name of a variable is letters, digits and _, beginning with a letter.', place);
  return name;
}
