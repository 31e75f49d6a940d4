// Runs inside the page: writes the text of a paragraph as Markdown, or as plain text.

export default function () {
  /** A part of a paragraph, with what was collapsed at its ends. */
  type Part = { readonly text: string; readonly startsBlank: boolean; readonly endsBlank: boolean };

  const wordLike = /[\p{L}\p{N}]/u;
  const punctuation = /[\p{P}\p{S}]/u;

  /** Characters that would be syntax inside a paragraph. An underscore within a word is none. */
  const inText =
    /[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-zA-Z/!?])|&(?=#?[a-zA-Z0-9]{1,31};)|~(?=~)|(?<=~)~/gu;
  /** A bare address is a link to most readers of Markdown, and would keep the backslashes. It ends where syntax begins. */
  const escapeText = (text: string): string =>
    text
      .split(/(\bhttps?:\/\/[^\s<>[\]()*`\\]+)/)
      .map((part, at) => (at % 2 === 1 ? part : part.replace(inText, '\\$&')))
      .join('');

  /** What would be syntax at the start of a line: headings, quotes, lists, rules, tables. */
  const atLineStart = /^(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-:](?=[-:|\s]+$)|=(?==*\s*$)|\||\d{1,9}(?=[.)](?:\s|$)))/;

  const escapeLine = (line: string): string =>
    line.replace(atLineStart, (start) => (/^\d/.test(start) ? `${start}\\` : `\\${start}`));

  /** Lines of a paragraph. */
  const escapeLines = (text: string): string => text.split('\n').map(escapeLine).join('\n');

  /** Code between as many backticks as it needs. */
  const codeSpan = (code: string): string => {
    const longest = Math.max(0, ...(code.match(/`+/g) ?? []).slice(0, 1000).map(({ length }) => length));
    const fence = '`'.repeat(longest + 1);
    const pad = /^`|`$|^ .* $/.test(code) ? ' ' : '';
    return `${fence}${pad}${code}${pad}${fence}`;
  };

  const address = (href: string): string =>
    href.replace(
      /[()<>\s\\]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );

  /** Collects a paragraph and collapses its white space, as the browser does. Its parts are joined once: a paragraph may be long. */
  const createRun = (isMarkdown: boolean) => {
    const parts: string[] = [];
    let startsBlank = false;
    let isBlank = false;
    /** The inside of the last part, if that is emphasis, until it is known what follows it. */
    let emphasised: string | undefined;

    const lastCharacter = (): string => parts.at(-1)?.at(-1) ?? '';

    const blank = () => {
      if (parts.length === 0) startsBlank = true;
      else if (lastCharacter() !== '\n') isBlank = true;
    };

    /** Adds what is already written in the syntax of the format. */
    const append = (text: string) => {
      if (isBlank) parts.push(' ');
      else if (emphasised && wordLike.test(text[0] ?? '') && punctuation.test(emphasised.at(-1) ?? ''))
        // Markdown does not end emphasis between a punctuation mark and a letter: it is given up.
        parts[parts.length - 1] = emphasised;
      else if (isMarkdown && text.startsWith('[') && lastCharacter() === '!')
        // Otherwise the link would be a picture.
        parts[parts.length - 1] = `${parts.at(-1)?.slice(0, -1)}\\!`;
      isBlank = false;
      emphasised = undefined;
      if (text) parts.push(text);
    };

    const addText = (text: string) => {
      const words = text.replace(/[ \t\n\r\f\u00A0]+/g, ' ');
      const trimmed = words.trim();
      if (words.startsWith(' ')) blank();
      if (!trimmed) return;
      append(isMarkdown ? escapeText(trimmed) : trimmed);
      if (words.endsWith(' ')) blank();
    };

    const addPart = ({ text, startsBlank: before, endsBlank }: Part, wrap = (inner: string) => inner) => {
      if (before) blank();
      if (text) append(wrap(text));
      if (endsBlank) blank();
    };

    const addEmphasis = (part: Part, mark: string) => {
      if (part.startsBlank) blank();
      const inner = part.text;
      const before = isBlank ? ' ' : lastCharacter() || ' ';
      const opens = !(wordLike.test(before) && punctuation.test(inner[0] ?? ''));
      if (inner && isMarkdown && opens && !inner.includes('\n') && before !== mark[0]) {
        append(mark + inner + mark);
        emphasised = inner;
      } else if (inner) append(inner);
      if (part.endsBlank) blank();
    };

    const addBreak = () => {
      isBlank = false;
      emphasised = undefined;
      if (parts.length > 0) parts.push(isMarkdown ? '  \n' : '\n');
    };

    const part = (): Part => {
      const text = parts.join('');
      return { text: text.trimEnd(), startsBlank, endsBlank: isBlank || /\s$/.test(lastCharacter()) };
    };

    return { addText, addPart, addEmphasis, addBreak, blank, append, part };
  };

  return { createRun, escapeText, escapeLines, codeSpan, linkAddress: address };
}
