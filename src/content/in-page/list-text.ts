// Runs inside the page: the text of lists whose items are written.

export default function () {
  /** Some pages write the mark of an item themselves. */
  const withoutMark = (item: string, number: number | undefined): string =>
    item.replace(/^(?:[•‣◦▪]|(\d{1,9})\\?\.)\s+/, (mark, own) =>
      own === undefined || Number(own) === number ? '' : mark,
    );

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

  return { withoutMark, listsApart, tight };
}
