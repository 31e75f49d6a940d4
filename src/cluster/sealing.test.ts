import { expect, it } from 'vitest';
import { createOpener, seal } from './sealing.ts';

it('a sealed text is opened by the one it is for, and contains nothing of the text', () => {
  const { publicKey, open } = createOpener();
  const sealed = seal('secret ü 🎉', publicKey, 'a');
  expect(open(sealed, 'a')).toBe('secret ü 🎉');
  expect(Buffer.from(sealed, 'base64url').includes('secret')).toBe(false);
  expect(seal('secret ü 🎉', publicKey, 'a')).not.toBe(sealed);
});

it('it is not opened by another, for another purpose, or changed', () => {
  const one = createOpener();
  const sealed = seal('secret', one.publicKey, 'a');
  expect(() => createOpener().open(sealed, 'a')).toThrow();
  expect(() => one.open(sealed, 'b')).toThrow();
  for (const at of [0, 40, 50, 60, 65]) {
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(() => one.open(bytes.toString('base64url'), 'a')).toThrow();
  }
  for (const broken of ['', 'x', sealed.slice(0, 60)]) expect(() => one.open(broken, 'a')).toThrow();
});

it('a key that is none is refused', () => {
  for (const key of ['', 'x', Buffer.alloc(32).toString('base64url')]) expect(() => seal('secret', key, 'a')).toThrow();
});
