// Runs inside the page: frames of other origins. The browser does not paint them while they are outside of the window.
import type { FrameBox } from '../in-page-types.ts';

export default function () {
  const smallestSide = 10;

  let frames: HTMLIFrameElement[] = [];
  /** What is fixed to the window may cover a frame that is scrolled to. */
  let covers: Animation[] = [];

  /** The document of a frame of the same origin can be read, and is painted anywhere. */
  const isForeign = (element: Element): element is HTMLIFrameElement =>
    element instanceof HTMLIFrameElement && element.contentDocument === null;

  const isUnpainted = (frame: HTMLIFrameElement) => {
    const { top, bottom, left, right, width, height } = frame.getBoundingClientRect();
    if (Math.min(width, height) < smallestSide || right <= 0 || left >= innerWidth) return false;
    if (bottom > 0 && top < innerHeight) return false;
    return frame.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };

  /** The frames that the picture would lack, in page coordinates. */
  const unpaintedFrames = (): FrameBox[] => {
    frames = tintype.allElements().filter(isForeign).filter(isUnpainted);
    return frames.map((frame) => {
      const { left, top, width, height } = frame.getBoundingClientRect();
      return { x: left + scrollX, y: top + scrollY, width, height };
    });
  };

  const hideCovers = () => {
    for (const element of tintype.allElements())
      if (/fixed|sticky/.test(getComputedStyle(element).position) && !frames.some((frame) => element.contains(frame)))
        covers.push(tintype.hold(element, { opacity: 0 }));
  };

  const scrollToFrame = async (index: number): Promise<void> => {
    if (index === 0) hideCovers();
    frames[index]?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    await tintype.twoFrames();
  };

  /** Behind a frame that is not painted, its background is visible. */
  const keepPicture = async (index: number, png: string): Promise<void> => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode().catch(() => {});
    const frame = frames[index];
    if (frame) tintype.setAll(frame, { background: `url(${image.src}) 0 0 / 100% 100% no-repeat border-box` });
  };

  const leaveFrames = async (): Promise<void> => {
    for (const cover of covers) cover.cancel();
    covers = [];
    scrollTo({ top: 0, left: 0, behavior: 'instant' });
    // Those in the window were not painted meanwhile, either.
    await tintype.within(500, tintype.framesPainted(4));
  };

  return { unpaintedFrames, scrollToFrame, keepPicture, leaveFrames };
}
