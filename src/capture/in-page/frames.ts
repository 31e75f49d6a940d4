// Runs inside the page: frames of other origins. The browser does not paint them while they are outside of the window.
import type { PageBox } from '../in-page-types.ts';

export default function () {
  const smallestSide = 10;
  /** More than are painted, so that their number is known. */
  const mostListed = 100;

  let frames: HTMLIFrameElement[] = [];
  /** What is fixed to the window may cover a frame that is scrolled to. */
  let covers: Animation[] | undefined;

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
  const unpaintedFrames = (): PageBox[] => {
    frames = tintype.allElements().filter(isForeign).filter(isUnpainted).slice(0, mostListed);
    return frames.map((frame) => {
      const { left, top, width, height } = frame.getBoundingClientRect();
      return { x: left + scrollX, y: top + scrollY, width, height };
    });
  };

  const hideCovers = () =>
    tintype
      .allElements()
      .filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
      .filter((element) => !frames.some((frame) => tintype.contains(element, frame)))
      .map((element) => tintype.hold(element, { opacity: 0 }));

  const scrollToFrame = async (index: number): Promise<void> => {
    covers ??= hideCovers();
    frames[index]?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    await tintype.twoFrames();
  };

  /** Behind a frame that is not painted, its background is visible. False if the page's policy forbids such images. */
  const keepPicture = async (index: number, png: string): Promise<boolean> => {
    const frame = frames[index];
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    const isAllowed = await image.decode().then(
      () => true,
      () => false,
    );
    if (!frame || !isAllowed) return false;
    tintype.setAll(frame, { background: `url(${image.src}) 0 0 / 100% 100% no-repeat border-box` });
    return true;
  };

  const leaveFrames = async (): Promise<void> => {
    for (const cover of covers ?? []) cover.cancel();
    covers = undefined;
    scrollTo({ top: 0, left: 0, behavior: 'instant' });
    // Those in the window were not painted meanwhile, either.
    await tintype.within(500, tintype.frames(4));
  };

  return { unpaintedFrames, scrollToFrame, keepPicture, leaveFrames };
}
