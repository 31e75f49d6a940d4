// The three ways in which each page is captured.
import { devices } from '../../src/capture/devices.ts';

export type ModeName = 'viewport' | 'full' | 'phone';

export type Mode = {
  readonly name: ModeName;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly phone: boolean;
  readonly fullPage: boolean;
  readonly query: Readonly<Record<string, string>>;
};

const phone = devices['iphone-14'];

export const modes: readonly Mode[] = [
  {
    name: 'viewport',
    width: 1280,
    height: 800,
    scale: 1,
    phone: false,
    fullPage: false,
    query: { width: '1280', height: '800' },
  },
  {
    name: 'full',
    width: 1280,
    height: 800,
    scale: 1,
    phone: false,
    fullPage: true,
    query: { width: '1280', height: '800', fullPage: 'true' },
  },
  {
    name: 'phone',
    width: phone.width,
    height: phone.height,
    scale: phone.scale,
    phone: true,
    fullPage: true,
    query: { device: 'iphone-14', fullPage: 'true' },
  },
];

/** CSS pixels of a picture that are compared: a longer page is judged by its beginning. */
export const comparedHeight = 8000;
