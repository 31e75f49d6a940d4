// Runs inside the page right before the picture: what moves is brought to rest, so that the same page gives the same picture.

const rest = (animation) => {
  // Animations bound to scrolling are where they should be.
  if (!(animation.timeline instanceof DocumentTimeline)) return;
  try {
    // An animation that ends is shown at its end, one that never ends as if it had not begun.
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
    else animation.cancel();
  } catch {
    // An animation without an effect, or with a rate of 0, has no end to go to.
  }
};

const firstFrame = (video) => {
  video.pause();
  if (video.readyState < HTMLMediaElement.HAVE_METADATA || video.currentTime === 0 || video.srcObject) return undefined;
  const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
  video.currentTime = 0;
  // The frame is there with the event, and drawn a frame or two later.
  return tintype.within(500, seeked.then(tintype.twoFrames));
};

const freeze = async () => {
  const animations = document.getAnimations();
  const videos = [...document.querySelectorAll('video')];
  const focused = document.activeElement;
  const hasCaret = focused !== null && focused !== document.body;
  if (animations.length > 0 || videos.length > 0 || hasCaret) tintype.untouched = false;
  for (const animation of animations) rest(animation);
  // A caret that blinks is there in every second picture.
  if (hasCaret) focused.style?.setProperty('caret-color', 'transparent', 'important');
  await Promise.all(videos.map(firstFrame));
};

Object.assign(globalThis.tintype, { freeze });
