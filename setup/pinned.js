// @ts-check
// Packages that the set-up fetches for their files, beside those of package-lock.json: each in one version, whose checksum
// it must have. `npm view NAME@VERSION dist.integrity` says that of another version.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './machine.js';

/** @type {Readonly<Record<string, { readonly version: string, readonly integrity: string }>>} */
export const pinned = {
  '@adguard/dnr-rulesets': {
    version: '3.3.20260320140136',
    integrity: 'sha512-n0DqlWWlDYs4P6UdG1H5HQR/nVCMMxq6B6JMj6gvcP4uMvjmLKQw6rPg07vy5+Mn0ty9Q/3OYQldiHsqNSPzuQ==',
  },
  '@expo-google-fonts/arimo': {
    version: '0.4.3',
    integrity: 'sha512-kXMUJ303nJgKjJFr8yuiAY9dgIoAoj9HccKkaSw0J63/T4MSdxFejzfDUVLzUz+ohpQWinifV99QOAUQLcGKDg==',
  },
  '@expo-google-fonts/cousine': {
    version: '0.4.3',
    integrity: 'sha512-rSl8RXKqxwz8xJvedqdiKtPghSwRAl5c+lMecDyZ1L+V+IQEx6mavMnYkO0KuKgNcHekJXwXZsbmv7zJWggmAw==',
  },
  '@expo-google-fonts/noto-color-emoji': {
    version: '0.4.6',
    integrity: 'sha512-2pAakFka8eSDCHB5d6NNp/7WrOZAiVYcycOqAbccPd8P8zaWUVfQ0N3y84nNPmhCQT9qzM9bpDi6cgMu6fRKEg==',
  },
  '@expo-google-fonts/noto-sans': {
    version: '0.4.2',
    integrity: 'sha512-zYD8G2ijWLxqmquoQgghNh/x9p0yxWwArD0oxO1oXY1qx5vOd4t0Kbhnu/Cx8RTy08OgA8RtxuULZFaXwVPnPw==',
  },
  '@expo-google-fonts/noto-sans-arabic': {
    version: '0.4.3',
    integrity: 'sha512-YvtxyuegxPegu2g5urXJ+gQxRp8i798nQswTmEjwXOWR/fqy0Gvey6h5IoNRBrc43SxRxPezqCiR9ivpfPAXSg==',
  },
  '@expo-google-fonts/noto-sans-armenian': {
    version: '0.4.2',
    integrity: 'sha512-AHnwnabRI64hwenSeePxp2TICbYK6Wg56o2y5shFTLWLWzwnPXv30r4LGy6NQYk9PliXizDU9Qeyvob6e3tsgQ==',
  },
  '@expo-google-fonts/noto-sans-bengali': {
    version: '0.4.4',
    integrity: 'sha512-Ya58tLTEdP4P5EF3ZXTM829/g57mbfW8OrD16MMZr2sC3nIKItl/3J9tZlk1nrtqfFGzIgxb+zt/hLjAaTAQgQ==',
  },
  '@expo-google-fonts/noto-sans-devanagari': {
    version: '0.4.1',
    integrity: 'sha512-26boYPNKGP1r4R5MxsMAY/zCQOwiXLOJzX8sh1a2oEWyQurQsyniaCv4992c+9jjwshEEt2NNVv5GcnyzaL7QQ==',
  },
  '@expo-google-fonts/noto-sans-ethiopic': {
    version: '0.4.2',
    integrity: 'sha512-puS0u1/7b0kZ6fqOYaSlCdai8zHuD9CQY2qlyJEtYzUC5Nd1fH3QENmQc0a1Gcqe0q9s3n7440eNJSLK2mGouw==',
  },
  '@expo-google-fonts/noto-sans-georgian': {
    version: '0.4.3',
    integrity: 'sha512-qvQ/DE/F10hZPD/vYSm68aNWjOLyxGrCC3NzZR3L0RWpo2njqePvNjXcAcR9yvLwrREOmlWGtUD7GTAuIjlkzA==',
  },
  '@expo-google-fonts/noto-sans-hebrew': {
    version: '0.4.1',
    integrity: 'sha512-NR3vP6GT/hSINLrk4JHJBQnuzh/C1mlMrphNlI2dQaO53a3oTjSRoG4JyYb1B6bHadjsGh0wPZbT4kMJBKjT/w==',
  },
  '@expo-google-fonts/noto-sans-jp': {
    version: '0.4.3',
    integrity: 'sha512-Fl+Z6vtD24HFAYsvzB0S9Nery1ly16B9PesdY0wBd+wEHAvkNglnkTUspU0HqGOubkmoa8zusJrKv6vDx1o70A==',
  },
  '@expo-google-fonts/noto-sans-khmer': {
    version: '0.4.3',
    integrity: 'sha512-vBG7J/w4j+tPTPA53a43zb/s/K3AjHRTDbEG4omn/xs4dThknBh4aVRJ4zwROLy7OeZnhQPDkGRUEPAi8C/btg==',
  },
  '@expo-google-fonts/noto-sans-kr': {
    version: '0.4.3',
    integrity: 'sha512-EVS/uJPcf1TgJtjmQmrFr0oGdcl7ml09CSu0E/AyGzR0UfzdR2pBbzWWPsnuzZiGUl643ODYwYiXK5+B+fLjhQ==',
  },
  '@expo-google-fonts/noto-sans-math': {
    version: '0.4.2',
    integrity: 'sha512-Kgj0kKibznTLYcbpR8Tk2ybr76uMOyrlyoP5F9G+0UiJzAMA4zG/XIlrgXKzfFGERhA0Rc3vbwDeeTxwXPlaYg==',
  },
  '@expo-google-fonts/noto-sans-mono': {
    version: '0.4.2',
    integrity: 'sha512-Am5TeZeLlqPiDbWH71OprS/LZTuWwvpZ0cEObA9I3/FO2uhZEHgbp+fm/3aDPbEiMNr7xN8YpUAnuyBGuEeHoQ==',
  },
  '@expo-google-fonts/noto-sans-sc': {
    version: '0.4.3',
    integrity: 'sha512-9rAwdFTFHbO/u6Cs0gj2jZbW74TGIiaFNQnXYH2s5wA1bzVkwbaviL4t8YUV642eGYjg86eH6DkAEQmfNHDncQ==',
  },
  '@expo-google-fonts/noto-sans-symbols': {
    version: '0.4.1',
    integrity: 'sha512-LlXM1nLfz0FO1UA/COHlVau8DcDsvex3uWVA/BqeT8tJt+Hk8ju5XfmoShdjiW8IP4Z3ukKp7VFh4DDmNImYKA==',
  },
  '@expo-google-fonts/noto-sans-symbols-2': {
    version: '0.4.1',
    integrity: 'sha512-jFymG5s4OLlXpy9E9FQvSXpSnf43BIYcJiPXEHSw6LFNvbahkjmUWb/cj4vsX/KdUksGLTPbjB9iRuu8L3yJ8A==',
  },
  '@expo-google-fonts/noto-sans-tamil': {
    version: '0.4.3',
    integrity: 'sha512-1TBkwJ8gJPnt1UIC+um987hYb/QmRDATGKbtwDW6dajISxr8b7+EVjwMESMJaQxfNS8VWE4IBT2jYmpBGw4D+w==',
  },
  '@expo-google-fonts/noto-sans-tc': {
    version: '0.4.3',
    integrity: 'sha512-69XAOTLPz0WlAxL6qJEKlDMxHsBd4J1M39HjV0gPF2o1xWVALOsVWvDgistnecVockA9wbU/tH5C/gyS2PdnHg==',
  },
  '@expo-google-fonts/noto-sans-telugu': {
    version: '0.4.2',
    integrity: 'sha512-t5wZI1/2u69ugVr2v9P4Qqt9BHHwDQ/26+1p9MLrwf1lNSW64Mw16AIRzGWIOcRMd0drYWeZzZO1DqoFts3KiA==',
  },
  '@expo-google-fonts/noto-sans-thai': {
    version: '0.4.2',
    integrity: 'sha512-PGBBBDGfJJ/5y2hNweLBZWD4YmVT4uOO4chsOPXyl0TktaBJamDKVKv/WbGiDTeBGdkegLiytsWo+lhnkHP5qA==',
  },
  '@expo-google-fonts/noto-serif': {
    version: '0.4.2',
    integrity: 'sha512-1xvAYegrtpCuPPunSyhvhV9FHWEzCWjikEoUJkvHt+WWvt+h7lKr+vkXNpqwFQM4W3KjXOccfLd5s04xLMjjDQ==',
  },
  '@expo-google-fonts/tinos': {
    version: '0.4.2',
    integrity: 'sha512-MQkfvUO1Aw7UP3jRtWLcjda+udanoL8ecrbkjbc3ZdhSI1iW/Uil4uD8O0eOiIxU2v/FeAT2XjGNiz5oYUlucg==',
  },
  '@sparticuz/chromium': {
    version: '153.0.0',
    integrity: 'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
  },
};

/**
 * Fetches the package and unpacks it, or only `inside` of it, into a folder that is `package` in `folder`. Throws if it is not
 * the one that was pinned.
 * @param {string} folder
 * @param {string} name
 * @param {string[]} [inside]
 */
export async function fetchPinned(folder, name, inside = []) {
  const pin = pinned[name];
  if (pin === undefined) throw new Error(`${name} is not pinned.`);
  const archive = await packInto(folder, `${name}@${pin.version}`);
  const found = await integrityOf(archive);
  if (found !== pin.integrity)
    throw new Error(`${name}@${pin.version} has the checksum ${found}, not ${pin.integrity}: it was changed.`);
  await unpack(archive, folder, inside);
}

/** @param {string} folder @param {string} wanted @returns {Promise<string>} the archive */
export async function packInto(folder, wanted) {
  await rm(join(folder, 'package'), { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name.endsWith('.tgz')) await rm(join(folder, name));
  // It runs no scripts. No retries: without a network there is something else to use, and nobody should wait for minutes.
  const flags = ['--pack-destination', folder, '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=60000'];
  await run('npm', ['pack', wanted, ...flags], { cwd: folder });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack ${wanted} gave no archive.`);
  return join(folder, archive);
}

/** @param {string} archive @param {string} folder @param {string[]} [inside] */
export async function unpack(archive, folder, inside = []) {
  await run('tar', ['-xzf', archive, '-C', folder, '--no-same-owner', ...inside.map((name) => `package/${name}`)]);
  await rm(archive);
}

/** @param {string} file */
async function integrityOf(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}
