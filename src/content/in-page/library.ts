// What reads a page, piece by piece. Each piece is a function that is sent into the page as text: it must not use anything
// outside of itself but the page, `Readability` and `reader`, and what it returns becomes part of `reader`.
import article from './article.ts';
import boxes from './boxes.ts';
import characters from './characters.ts';
import clipPath from './clip-path.ts';
import codeText from './code-text.ts';
import colors from './colors.ts';
import copyElement from './copy-element.ts';
import copyLeaf from './copy-leaf.ts';
import covers from './covers.ts';
import dates from './dates.ts';
import dom from './dom.ts';
import editors from './editors.ts';
import elementState from './element-state.ts';
import extractorInput from './extractor-input.ts';
import formulas from './formulas.ts';
import fullCopy from './full-copy.ts';
import gaps from './gaps.ts';
import headline from './headline.ts';
import html from './html.ts';
import icons from './icons.ts';
import inline from './inline.ts';
import inlineElements from './inline-elements.ts';
import introduction from './introduction.ts';
import layers from './layers.ts';
import linkedData from './linked-data.ts';
import links from './links.ts';
import listText from './list-text.ts';
import listings from './listings.ts';
import metadata from './metadata.ts';
import microdata from './microdata.ts';
import paint from './paint.ts';
import prose from './prose.ts';
import read from './read.ts';
import readingOrder from './reading-order.ts';
import rows from './rows.ts';
import spokenWords from './spoken-words.ts';
import tables from './tables.ts';
import thread from './thread.ts';
import uncopiedText from './uncopied-text.ts';
import visibleCopy from './visible-copy.ts';
import visibleText from './visible-text.ts';

export {
  article,
  boxes,
  characters,
  clipPath,
  codeText,
  colors,
  copyElement,
  copyLeaf,
  covers,
  dates,
  dom,
  editors,
  elementState,
  extractorInput,
  formulas,
  fullCopy,
  gaps,
  headline,
  html,
  icons,
  inline,
  inlineElements,
  introduction,
  layers,
  linkedData,
  links,
  listings,
  listText,
  metadata,
  microdata,
  paint,
  prose,
  read,
  readingOrder,
  rows,
  spokenWords,
  tables,
  thread,
  uncopiedText,
  visibleCopy,
  visibleText,
};

type Reader = ReturnType<typeof article> &
  ReturnType<typeof boxes> &
  ReturnType<typeof characters> &
  ReturnType<typeof clipPath> &
  ReturnType<typeof codeText> &
  ReturnType<typeof colors> &
  ReturnType<typeof copyElement> &
  ReturnType<typeof copyLeaf> &
  ReturnType<typeof covers> &
  ReturnType<typeof dates> &
  ReturnType<typeof dom> &
  ReturnType<typeof editors> &
  ReturnType<typeof elementState> &
  ReturnType<typeof extractorInput> &
  ReturnType<typeof formulas> &
  ReturnType<typeof fullCopy> &
  ReturnType<typeof gaps> &
  ReturnType<typeof headline> &
  ReturnType<typeof html> &
  ReturnType<typeof icons> &
  ReturnType<typeof inline> &
  ReturnType<typeof inlineElements> &
  ReturnType<typeof introduction> &
  ReturnType<typeof layers> &
  ReturnType<typeof linkedData> &
  ReturnType<typeof links> &
  ReturnType<typeof listings> &
  ReturnType<typeof listText> &
  ReturnType<typeof metadata> &
  ReturnType<typeof microdata> &
  ReturnType<typeof paint> &
  ReturnType<typeof prose> &
  ReturnType<typeof read> &
  ReturnType<typeof readingOrder> &
  ReturnType<typeof rows> &
  ReturnType<typeof spokenWords> &
  ReturnType<typeof tables> &
  ReturnType<typeof thread> &
  ReturnType<typeof uncopiedText> &
  ReturnType<typeof visibleCopy> &
  ReturnType<typeof visibleText>;

declare global {
  var reader: Reader;
}
