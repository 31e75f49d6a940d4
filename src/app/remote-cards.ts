// The cards of an api node: it validates and previews them, and the render nodes paint them.

import type { CardMaker } from '../cards/card-types.ts';
import { createCatalogue } from '../cards/catalogue.ts';
import { createHtmlPainter } from '../cards/html/html-painter.ts';
import type { Config } from '../config.ts';
import type { Egress } from '../egress/egress-types.ts';
import type { Log } from '../kernel/log.ts';

type Dependencies = { readonly egress: Egress; readonly render: CardMaker['render']; readonly log: Log };

export async function createRemoteCards(
  { templatesDir }: Pick<Config, 'templatesDir'>,
  { egress, render, log }: Dependencies,
): Promise<CardMaker> {
  const catalogue = await createCatalogue({ egress, templatesDir, watch: { log } });
  const html = createHtmlPainter(log);
  return {
    get catalogue() {
      return catalogue.catalogue;
    },
    get revision() {
      return catalogue.revision;
    },
    check: catalogue.check,
    render,
    html,
    prepare: () => {},
    async stop() {
      catalogue.stop();
      await html.stop();
    },
  };
}
