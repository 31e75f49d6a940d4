// One render for the command line: no server, no key, no plan, no cache; the guard and the rules are the same. What is
// wrong with the request is told before anything is started, and only what the render needs is.
import { effectiveRequest, screenshotParameters } from '../capture/parameters.ts';
import type { Config } from '../config.ts';
import { Deadline } from '../kernel/deadline.ts';
import { createLog } from '../kernel/log.ts';
import { parse } from '../kernel/parameters.ts';
import { rejectIf, type Verdict } from '../kernel/verdict.ts';
import { cardTimeoutMs, createCardMaker } from '../og/og.ts';
import { ogParameters } from '../og/parameters.ts';
import { openCapturer, openEgress } from './renderers.ts';

export type Shot = {
  readonly bytes: Buffer;
  readonly type: string;
  readonly warnings: readonly string[];
  /** A card has none. */
  readonly verdict?: Verdict;
};

type Query = ReadonlyMap<string, string>;

export const oneShot = (config: Config, kind: 'screenshot' | 'og', query: Query): Promise<Shot> =>
  kind === 'screenshot' ? onePage(config, query) : oneCard(config, query);

async function onePage(config: Config, query: Query): Promise<Shot> {
  const log = createLog('silent');
  const egress = openEgress(config, log);
  const parsed = parse(query, screenshotParameters);
  const target = egress.check(parsed.values.url);
  const { capturer } = await openCapturer({ ...config, rendersAtOnce: 1, pagesAtOnce: 1 }, egress, log);
  try {
    const deadline = new Deadline(parsed.values.timeout);
    await egress.resolve(target, deadline.signal);
    const captured = await capturer.capture({ ...effectiveRequest(parsed), url: target.href }, deadline);
    rejectIf(captured.verdict, parsed.values.failOn);
    return captured;
  } finally {
    await capturer.stop();
    await egress.stop();
  }
}

async function oneCard(config: Config, query: Query): Promise<Shot> {
  const log = createLog('silent');
  const { values, unknown } = parse(query, ogParameters);
  const egress = openEgress(config, log);
  const cards = await createCardMaker({ egress, templatesDir: config.templatesDir, log });
  try {
    const { variables, warnings } = cards.check(values.template, unknown);
    const card = await cards.render({ ...values, variables }, new Deadline(cardTimeoutMs));
    return { ...card, warnings: [...warnings, ...card.warnings] };
  } finally {
    await cards.stop();
    await egress.stop();
  }
}
