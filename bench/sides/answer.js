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
