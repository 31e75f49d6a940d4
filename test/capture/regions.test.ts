import { describe, expect, it } from 'vitest';
import { clipOf, halvesOf, isSizeOf, partsOf, type Region, snapped } from '../../src/capture/regions.ts';

const none = { x: 0, y: 0 };
const zooms = [1, 390 / 980, 412 / 980, 0.38085939, 360 / 1024, 0.5, 0.25, 1.5, 2];
const scales = [1, 1.5, 2, 2.5, 2.625, 3];
const heights = [1, 777, 4000, 12_345, 39_999];
const cases = zooms.flatMap((zoom) => scales.flatMap((scale) => heights.map((height) => ({ zoom, scale, height }))));

const regionOf = (zoom: number, height: number): Region => ({ x: 0, y: 0, width: 390 / zoom, height, zoom });

/** What the browser makes of a clip: it drops the fractions of its size, then scales and rounds. */
const browserGives = (
  { width, height, scale }: { width: number; height: number; scale: number },
  deviceScale: number,
) => ({
  width: Math.round(Math.trunc(width) * scale * deviceScale),
  height: Math.round(Math.trunc(height) * scale * deviceScale),
});

describe('a region in whole device pixels', () => {
  it('has no gap and no overlap at any zoom and scale', () => {
    for (const { zoom, scale, height } of cases) {
      const parts = partsOf(regionOf(zoom, height), scale, 3e6);
      let top = 0;
      for (const part of parts) {
        expect(part.top).toBe(top);
        expect([part.top, part.width, part.height].every(Number.isInteger)).toBe(true);
        top += part.height;
      }
      expect(top).toBe(Math.max(1, Math.round(height * zoom * scale)));
      expect(parts[0]?.width).toBe(Math.round(390 * scale));
    }
  });

  it('is asked for so that the browser gives all of it, at any zoom and scale', () => {
    for (const { zoom, scale, height } of cases)
      for (const part of partsOf(regionOf(zoom, height), scale, 3e6)) {
        const clip = clipOf(regionOf(zoom, height), part, scale, none);
        const picture = browserGives(clip, scale);
        expect(picture.width).toBeGreaterThanOrEqual(part.width);
        expect(picture.height).toBeGreaterThanOrEqual(part.height);
        // No more than the rest of a CSS pixel has to be cut off again.
        expect(picture.width - part.width).toBeLessThanOrEqual(Math.ceil(zoom * scale));
        expect(picture.height - part.height).toBeLessThanOrEqual(Math.ceil(zoom * scale));
        expect(isSizeOf(clip, scale, picture)).toBe(true);
        expect(Math.abs(clip.y * zoom * scale - part.top)).toBeLessThan(1e-6);
      }
  });

  it('needs no cutting where a CSS pixel is a whole number of device pixels, or the window a whole number of CSS pixels', () => {
    for (const scale of [1, 2, 3])
      for (const part of partsOf({ ...regionOf(1, 30_000), width: 1280 }, scale, 80e6)) {
        const clip = clipOf({ ...regionOf(1, 30_000), width: 1280 }, part, scale, none);
        expect(browserGives(clip, scale)).toEqual({ width: part.width, height: part.height });
      }
  });

  it('is halved without losing a pixel, and not below what is of use', () => {
    for (const { zoom, scale, height } of cases) {
      const region = regionOf(zoom, height);
      const [part] = partsOf(region, scale, 1e12);
      if (!part) throw new Error('no part');
      const halves = halvesOf(part, region, scale, 512);
      if (height < 512) expect(halves).toBeUndefined();
      if (!halves) continue;
      expect(halves[0].height + halves[1].height).toBe(part.height);
      expect(halves[1].top).toBe(halves[0].height);
    }
  });

  it('has its edges where the browser draws those of a box, at any zoom and scale', () => {
    for (const { zoom, scale } of cases)
      for (const x of [0, 0.5, 13, 10.25, 1234.3]) {
        const per = zoom * scale;
        const region = snapped({ x, y: x, width: 77.5, height: 0.01, zoom }, scale);
        for (const at of [region.x, region.y, region.x + region.width, region.y + region.height])
          expect(Math.abs(at * per - Math.round(at * per))).toBeLessThan(1e-6);
        expect(Math.abs(region.x - x) * per).toBeLessThanOrEqual(0.51);
        expect(Math.abs(region.x + region.width - x - 77.5) * per).toBeLessThanOrEqual(0.51);
        // Nothing is so small that it has no pixel.
        expect(Math.round(region.height * per)).toBe(1);
      }
    const whole = { x: 31, y: 17, width: 201, height: 101, zoom: 1 };
    for (const scale of [1, 2, 3]) expect(snapped(whole, scale)).toEqual(whole);
  });

  it('begins where the page does', () => {
    const [part] = partsOf({ x: 10, y: 20, width: 100, height: 50, zoom: 1 }, 2, 80e6);
    if (!part) throw new Error('no part');
    expect(clipOf({ x: 10, y: 20, width: 100, height: 50, zoom: 1 }, part, 2, { x: 9999, y: 0 })).toEqual({
      x: 10_009,
      y: 20,
      width: 100,
      height: 50,
      scale: 1,
    });
  });
});
