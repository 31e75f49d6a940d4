// The last search for cookie banners, right before the capture: they are hidden with their backdrops, and the page is
// unlocked for scrolling.
import type { Protocol } from 'devtools-protocol';
import { sleep } from '../../kernel/deadline.ts';
import type { Blocklist } from './engine.ts';
import { askOfNode, type Frames, handleInWorld } from './frames.ts';
import { withBanners, withBoxes } from './in-page.ts';

export type Swept = { readonly found: number; readonly left: boolean };

type Look = { readonly banners: number; readonly sealed: readonly number[] };

/** After this time a script that restores its banner has done so. */
const lookAgainMs = 50;

/** Counts the visible banners, and finds which of the sealed elements (frames, closed shadow roots) are banners. */
async function look(frames: Frames, how: 'look' | 'lookAndWatch' = 'look'): Promise<Look> {
  const { banners, sealed } = await withBanners(frames.main(), how);
  const verdicts = await Promise.all(
    sealed.map((kind, index) => (kind === 'frame' ? frameIsBanner : rootIsBanner)(frames, index).catch(() => false)),
  );
  return { banners, sealed: verdicts.flatMap((isBanner, index) => (isBanner ? [index] : [])) };
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

/** Without its content (depth 0): the page controls how much that is. */
async function describe(frames: Frames, index: number): Promise<Protocol.DOM.Node | undefined> {
  const objectId = await handleInWorld(frames.main(), `tintypePage.sealed[${index}]`);
  if (objectId === undefined) return undefined;
  return (await frames.main().session.send('DOM.describeNode', { objectId, depth: 0 })).node;
}

async function frameIsBanner(frames: Frames, index: number): Promise<boolean> {
  const node = await describe(frames, index);
  const frame = frames.get(node?.frameId ?? '');
  return frame !== undefined && (await withBanners(frame, 'frameIsBanner'));
}

/** Scripts cannot reach a closed shadow root, but the protocol passes it to our world, where it can be read. */
async function rootIsBanner(frames: Frames, index: number): Promise<boolean> {
  const node = await describe(frames, index);
  const roots = node?.shadowRoots?.filter((root) => root.shadowRootType === 'closed') ?? [];
  for (const { backendNodeId } of roots)
    if (await askOfNode<boolean>(frames.main(), backendNodeId, 'tintypePage.rootIsBanner')) return true;
  return false;
}
