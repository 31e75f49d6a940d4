// Pictures without a network, for contact sheets: the address names the picture.
import type { Egress } from '../src/egress/egress-types.ts';
import { samples } from './og-samples.ts';

export const sampleEgress = {
  check: (url: string) => new URL(url),
  fetchImage: async (url: string) => ({ bytes: await samples.image(url), type: 'image/png' }),
} as unknown as Egress;
