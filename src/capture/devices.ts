// The device presets.

export type Device = {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly system: 'ios' | 'ipados' | 'android' | 'macos';
  /** The value of Sec-CH-UA-Model; empty if the real device sends none. */
  readonly model: string;
};

export const devices = {
  'iphone-14': { width: 390, height: 844, scale: 3, system: 'ios', model: '' },
  'iphone-14-pro-max': { width: 430, height: 932, scale: 3, system: 'ios', model: '' },
  'ipad-air': { width: 820, height: 1180, scale: 2, system: 'ipados', model: '' },
  'galaxy-s23': { width: 360, height: 780, scale: 3, system: 'android', model: 'SM-S911B' },
  'macbook-pro': { width: 1440, height: 900, scale: 2, system: 'macos', model: '' },
  'iphone-15': { width: 393, height: 852, scale: 3, system: 'ios', model: '' },
  'ipad-pro': { width: 1024, height: 1366, scale: 2, system: 'ipados', model: '' },
  'pixel-8': { width: 412, height: 915, scale: 2.625, system: 'android', model: 'Pixel 8' },
  'galaxy-s24': { width: 360, height: 780, scale: 3, system: 'android', model: 'SM-S921B' },
} as const satisfies Record<string, Device>;

export type DeviceName = keyof typeof devices;
export const deviceNames = Object.keys(devices) as DeviceName[];

/** A phone or tablet: touch, and the layout viewport of mobile browsers. */
export const isMobile = (device: Device): boolean => device.system !== 'macos';
