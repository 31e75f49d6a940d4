// The process that reads and paints HTML templates, one at a time, and answers by messages. html-painter.ts starts it, and
// kills it if a card takes too long.
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { HtmlTemplate } from '../card-types.ts';
import { endFirstWithoutMemory } from '../end-first.ts';
import { createPainter } from '../painter.ts';
import { type CardToPaint, createCardPainter, type PaintedCard } from './card-painter.ts';
import { type HtmlTree, TemplateFault } from './html-template-types.ts';
import { readTemplate } from './read-html.ts';

/** The template is read here, too: a tree cannot be trusted. */
export type HtmlCard = Omit<CardToPaint, 'tree'> & Pick<HtmlTemplate, 'owner' | 'source'>;

export type PaintingTask =
  | { readonly kind: 'read'; readonly source: string }
  | { readonly kind: 'paint'; readonly card: HtmlCard }
  | { readonly kind: 'font'; readonly hash: string; readonly bytes: Uint8Array };

export type ReadTemplate = Pick<HtmlTree, 'variables' | 'files'>;

export type PaintingAnswer =
  | { readonly done: ReadTemplate | PaintedCard | null; readonly fonts: number }
  | { readonly fault: { readonly message: string; readonly line: number; readonly column: number } }
  | { readonly failed: string };

endFirstWithoutMemory();

const engine = await createPainter();
// Before the first card: a card that takes too long ends this process.
await engine.loadAllFonts();
const painter = createCardPainter(engine);
const treesKept = 100;
const trees = new BoundedMap<string, HtmlTree>(treesKept);

function treeOf(source: string): HtmlTree {
  const tree = trees.get(source) ?? readTemplate(source);
  trees.set(source, tree);
  return tree;
}

async function answer(task: PaintingTask): Promise<ReadTemplate | PaintedCard | null> {
  if (task.kind === 'read') {
    const { variables, files } = readTemplate(task.source);
    return { variables, files };
  }
  if (task.kind === 'paint') return painter.paint({ ...task.card, tree: treeOf(task.card.source) });
  await painter.addFont(task);
  return null;
}

const send = (message: PaintingAnswer | 'ready') => process.send?.(message);

process.on('message', (task: PaintingTask) => {
  answer(task).then(
    (done) => send({ done, fonts: painter.fonts }),
    (error: Error) =>
      send(
        error instanceof TemplateFault
          ? { fault: { message: error.message, ...error.place } }
          : { failed: error.message.slice(0, 300) },
      ),
  );
});
// The server has ended.
process.on('disconnect', () => process.exit());
send('ready');
