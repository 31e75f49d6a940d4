// What every side's process does alike: a shot is asked for by message, and answered with the number of its bytes.

/**
 * @typedef {{ url: string, format: 'png' | 'jpg' | 'webp' | 'pdf', fullPage?: boolean, width?: number, height?: number, deviceScale?: number }} ShotWish
 * @param {(wish: ShotWish) => Promise<{ length: number } | undefined>} shoot
 */
export function answer(shoot) {
  process.on('message', async (/** @type {{ id: number, wish: ShotWish }} */ { id, wish }) => {
    try {
      const bytes = await shoot(wish);
      if (!bytes || bytes.length < 100) throw new Error('no picture came back');
      process.send?.({ id, bytes: bytes.length });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

/**
 * The waits of Tintype, as an expression for a page: a quiet frame where there are scripts, fonts, images in view.
 * For a whole page: scrolled through window by window, then all images.
 */
export const readiness = (/** @type {boolean} */ whole) => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', () => setTimeout(resolve)));
  if (document.scripts.length > 0) await frame();
  document.documentElement.getBoundingClientRect();
  if (document.fonts.status === 'loading') await document.fonts.ready;
  if (${whole}) {
    for (let y = innerHeight; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' });
      await frame();
      await frame();
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await frame();
  }
  const seen = (image) => ${whole} || image.getBoundingClientRect().top < innerHeight;
  await Promise.all([...document.images].filter((image) => !image.complete && seen(image)).map((image) =>
    new Promise((resolve) => { image.onload = image.onerror = resolve; })));
  return document.documentElement.scrollHeight;
})()`;
