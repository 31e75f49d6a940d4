// What every side's process does alike: a shot is asked for by message, and answered with the number of its bytes.

/**
 * @typedef {{ url: string, format: 'png' | 'jpg' | 'webp' | 'pdf' | 'text', fullPage?: boolean, selector?: string, width?: number, height?: number, deviceScale?: number, timeout?: number, patient?: boolean }} ShotWish
 * @param {(wish: ShotWish) => Promise<{ length: number } | undefined>} capture
 */
export function answer(capture) {
  process.on('message', async (/** @type {{ id: number, wish: ShotWish }} */ { id, wish }) => {
    try {
      const bytes = await capture(wish);
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
 * For a whole page: scrolled through, a tenth of a second from there where there are scripts, then all images.
 */
export const readiness = (/** @type {boolean} */ whole) => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', () => setTimeout(resolve)));
  if (document.scripts.length > 0) await frame();
  document.documentElement.getBoundingClientRect();
  if (document.fonts.status === 'loading') await document.fonts.ready;
  if (${whole}) {
    let scrolledAt = -Infinity;
    const bottom = document.documentElement.scrollHeight - innerHeight;
    for (let y = 0; y < bottom; ) {
      y = Math.min(y + innerHeight * 0.6, bottom);
      scrollTo({ top: y, behavior: 'instant' });
      scrolledAt = performance.now();
      await frame();
    }
    if (bottom > 0) {
      scrollTo({ top: 0, behavior: 'instant' });
      await frame();
      await frame();
    }
    const left = scrolledAt + 100 - performance.now();
    if (document.scripts.length > 0 && left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
  const seen = (image) => ${whole} || image.getBoundingClientRect().top < innerHeight;
  await Promise.all([...document.images].filter((image) => !image.complete && seen(image)).map((image) =>
    new Promise((resolve) => { image.onload = image.onerror = resolve; })));
  return document.documentElement.scrollHeight;
})()`;
