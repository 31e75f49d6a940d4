import { expect, it } from 'vitest';
import { bodyParameters } from './json-body.ts';
import { float, geolocation } from './kinds.ts';

const parameter = { cache: 'never', stage: 'capture', doc: '' } as const;

it('writes numbers of a body as a query does, without an exponent', () => {
  const table = { place: { ...parameter, kind: geolocation() }, share: { ...parameter, kind: float(0, 1) } };
  const parameters = bodyParameters({ place: [0.0000001, -1e-9], share: 1e-7 }, table);
  expect(bodyParameters({ share: 0 }, table).get('share')).toBe('0');
  expect(table.place.kind.parse(parameters.get('place') ?? '')).toMatchObject({ latitude: 1e-7, longitude: -1e-9 });
  expect(table.share.kind.parse(parameters.get('share') ?? '')).toBe(1e-7);
});
