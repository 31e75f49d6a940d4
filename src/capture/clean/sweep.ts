// The last look at cookie banners, just before the capture: what still covers the page and talks of
// cookies is hidden, with its backdrop, and the page scrolls again.
import type { Protocol } from 'devtools-protocol';
import { sleep } from '../../kernel/deadline.ts';
import type { Blocklist } from './engine.ts';
import { askOfNode, type Frames, handleInWorld } from './frames.ts';
import { withBanners, withBoxes } from './in-page.ts';

export type Swept = { readonly found: number; readonly left: boolean };

type Look = { readonly banners: number; readonly sealed: readonly number[] };

/** Long enough for a script that puts its banner back to have done so. */
const lookAgainMs = 50;

/** How many banners are to be seen right now, and which of the sealed elements (frames, closed roots) are one. */
async function look(frames: Frames, how: 'look' | 'lookAndWatch' = 'look'): Promise<Look> {
  const { banners, sealed } = await withBanners(frames.main(), how);
  const verdicts = await Promise.all(
    sealed.map((kind, index) => (kind === 'frame' ? frameTalks : rootTalks)(frames, index).catch(() => false)),
  );
  return { banners, sealed: verdicts.flatMap((talks, index) => (talks ? [index] : [])) };
}

export async function bannerInSight(frames: Frames): Promise<boolean> {
  const { banners, sealed } = await look(frames);
  return banners + sealed.length > 0;
}

export async function sweep(frames: Frames, list: Blocklist, known: boolean): Promise<Swept> {
  const main = frames.main();
  const css = list.styles(main.url, await withBoxes(main, 'namesInUse'));
  const seen = await look(frames, 'lookAndWatch');
  const found = await withBanners(main, 'clearBanners', { css, known, ...seen });
  if (found === 0) return { found, left: false };
  await sleep(lookAgainMs);
  return { found, left: await bannerInSight(frames) };
}

/** The element alone: how much is in it is the page's to say, and must not come here. */
async function describe(frames: Frames, index: number): Promise<Protocol.DOM.Node | undefined> {
  const objectId = await handleInWorld(frames.main(), `tintypePage.sealed[${index}]`);
  if (objectId === undefined) return undefined;
  return (await frames.main().session.send('DOM.describeNode', { objectId, depth: 0 })).node;
}

async function frameTalks(frames: Frames, index: number): Promise<boolean> {
  const node = await describe(frames, index);
  const frame = frames.get(node?.frameId ?? '');
  return frame !== undefined && (await withBanners(frame, 'frameIsBanner'));
}

/** A closed root cannot be found by script, but the protocol gives it to our world, where it is read like any other. */
async function rootTalks(frames: Frames, index: number): Promise<boolean> {
  const node = await describe(frames, index);
  const roots = node?.shadowRoots?.filter((root) => root.shadowRootType === 'closed') ?? [];
  for (const { backendNodeId } of roots)
    if (await askOfNode<boolean>(frames.main(), backendNodeId, 'tintypePage.rootIsBanner')) return true;
  return false;
}
