// Runs inside the page: the text of lists whose items are written.

export default function () {
  /** Some pages write the mark of an item themselves. */
  const withoutMark = (item: string, number: number | undefined): string =>
    item.replace(/^(?:[•‣◦▪]|(\d{1,9})\\?\.)\s+/, (mark, own) =>
      own === undefined || Number(own) === number ? '' : mark,
    );

  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  const roman = [
    ['c', 100],
    ['xc', 90],
    ['l', 50],
    ['xl', 40],
    ['x', 10],
    ['ix', 9],
    ['v', 5],
    ['iv', 4],
    ['i', 1],
  ] as const;

  const romanNumber = (number: number): string => {
    let left = number;
    let text = '';
    for (const [letters, value] of roman) for (; left >= value; left -= value) text += letters;
    return text;
  };

  /** The letter or Roman number that a list shows for an item, as far as readers count with them. */
  const letterOf = (number: number, type: string | null): string | undefined => {
    const small = type?.toLowerCase();
    const text =
      small === 'a' ? alphabet[number - 1] : small === 'i' && number > 0 && number < 400 ? romanNumber(number) : '';
    return text && type === small ? text : text?.toUpperCase();
  };

  /** The mark of an item. Markdown has no lists with letters: they stand in a list without numbers, so that they are kept. */
  const markOf = (number: number, type: string | null, isMarkdown: boolean): string => {
    const letter = letterOf(number, type);
    if (letter) return isMarkdown ? `- ${letter}. ` : `${letter}. `;
    // A number of more than nine digits is no list in Markdown.
    return `${Math.min(Math.max(number, 0), 999_999_999)}. `;
  };

  /** Lists that follow each other have different marks; with the same ones they would be one list. */
  const listsApart = (blocks: readonly string[], isMarkdown: boolean): readonly string[] => {
    let last = '';
    return blocks.map((block) => {
      const mark = isMarkdown ? (/^(?:-|\d+\.) /.exec(block)?.[0].at(-2) ?? '') : '';
      const isOther = mark !== '' && mark === last;
      last = isOther ? '' : mark;
      if (!isOther) return block;
      return mark === '-' ? block.replace(/^- /gm, '* ') : block.replace(/^(\d+)\. /gm, '$1) ');
    });
  };

  /** The blocks of an item. A nested list follows without an empty line. */
  const tight = (blocks: readonly string[], isMarkdown: boolean): string =>
    listsApart(blocks, isMarkdown).reduce(
      (text, block) =>
        text && /^([-*] |\d+[.)] )/.test(block) ? `${text}\n${block}` : text ? `${text}\n\n${block}` : block,
      '',
    );

  return { withoutMark, markOf, listsApart, tight };
}
