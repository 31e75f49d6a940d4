import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFile } from '../../src/cards/checked-file.ts';
import { decodePicture as decodeQuick, quickImage, shareOf } from '../../src/cards/pictures.ts';
import { Deadline, sleep } from '../../src/kernel/deadline.ts';
import { Problem } from '../../src/kernel/errors.ts';
import { colorAt, createTestMaker, pixelsOf, type TestMaker } from './maker.ts';

const decode = async (name: string, bytes: Buffer, deadline: Deadline, share: { side: number } = shareOf(1)) =>
  decodeQuick(name, await quickImage(name, bytes, deadline, share), share);

const decodePicture = async (name: string, bytes: Buffer) => {
  const deadline = new Deadline(15_000);
  try {
    return await decode(name, bytes, deadline);
  } finally {
    deadline.done();
  }
};

/** Left half red, right half blue. */
const halves = () =>
  sharp({ create: { width: 80, height: 40, channels: 3, background: '#0000ff' } }).composite([
    { input: { create: { width: 40, height: 40, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
  ]);

const svg = (body: string, size = 'width="100" height="100"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`,
  );

const isRed = ([r, g, b]: [number, number, number]) => r > 180 && g < 80 && b < 80;
const isBlue = ([r, g, b]: [number, number, number]) => b > 180 && r < 80 && g < 80;

describe('the images of a card', () => {
  it('have 50 MB and two times 2048 pixels a side together, however many there are', async () => {
    for (const count of [1, 2, 3, 10, 50]) {
      const { bytes, side } = shareOf(count);
      expect(count * bytes).toBeLessThanOrEqual(50e6);
      expect(count * side ** 2).toBeLessThanOrEqual(2 * 2048 ** 2);
    }
    expect([shareOf(1), shareOf(2)]).toEqual([
      { bytes: 10e6, side: 2048 },
      { bytes: 10e6, side: 2048 },
    ]);
    const deadline = new Deadline(15_000);
    const { width } = await decode('avatar', await halves().png().toBuffer(), deadline, { side: 20 });
    deadline.done();
    expect(width).toBe(20);
  });

  it('are each refused beyond their share', async () => {
    const maker = await createTestMaker();
    const names = Array.from({ length: 20 }, (_, i) => `image${i}`);
    const url = 'https://images.test/large.png';
    maker.files.set(url, Buffer.concat([await halves().png().toBuffer(), Buffer.alloc(6e6)]));
    const paint = async (count: number) => {
      const shown = names.slice(0, count);
      const html = {
        source: shown.map((name) => `<img src="{{${name}}}" style="width:20px;height:20px" />`).join(''),
        variables: Object.fromEntries(shown.map((name) => [name, { type: 'image_url', doc: '' }] as const)),
        files: [],
      };
      const deadline = new Deadline(60_000);
      const canvas = { width: 1200, height: 630, format: 'png', quality: 80 } as const;
      const variables = Object.fromEntries(shown.map((name) => [name, url]));
      return maker.render({ ...canvas, template: 'my/many', html, variables }, deadline).finally(() => deadline.done());
    };
    try {
      expect((await paint(2)).bytes.length).toBeGreaterThan(0);
      await expect(paint(20)).rejects.toThrow('larger than 2500000 bytes');
    } finally {
      await maker.stop();
    }
  });
});

describe('an image of a card', () => {
  it.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)('may be %s', async (format) => {
    const picture = await decodePicture('avatar', await halves().toFormat(format).toBuffer());
    const pixels = await pixelsOf(Buffer.from(picture.src));
    expect([picture.width, picture.height]).toEqual([80, 40]);
    expect(isRed(colorAt(pixels, 10, 20))).toBe(true);
    expect(isBlue(colorAt(pixels, 70, 20))).toBe(true);
  });

  it('may be svg, which is drawn large enough to be sharp', async () => {
    const picture = await decodePicture('logo', svg('<rect width="100" height="100" fill="red"/>'));
    expect(picture.width).toBeGreaterThanOrEqual(512);
    expect(isRed(colorAt(await pixelsOf(Buffer.from(picture.src)), 200, 200))).toBe(true);
  });

  it.each([
    ['without a size', ''],
    ['as wide as its box', 'width="100%" height="100%"'],
    ['with a width only', 'width="300"'],
  ])('an svg %s and without a viewBox is as large as in a browser, 300 × 150', async (_, size) => {
    const picture = await decodePicture('logo', svg('<rect x="150" width="150" height="150" fill="red"/>', size));
    const pixels = await pixelsOf(Buffer.from(picture.src));
    expect([picture.width, picture.height]).toEqual([1024, 512]);
    expect(isRed(colorAt(pixels, 530, 10))).toBe(true);
    expect(isRed(colorAt(pixels, 1000, 500))).toBe(true);
    expect(isRed(colorAt(pixels, 500, 256))).toBe(false);
  });

  it('is turned as its EXIF data says', async () => {
    // 6: the camera was held upright, so the right side of the file is the bottom of the scene.
    const turned = await halves().jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer();
    const picture = await decodePicture('avatar', turned);
    const pixels = await pixelsOf(Buffer.from(picture.src));
    expect([picture.width, picture.height]).toEqual([40, 80]);
    expect(isRed(colorAt(pixels, 20, 10))).toBe(true);
    expect(isBlue(colorAt(pixels, 20, 70))).toBe(true);
  });

  it('an svg on a machine without free file descriptors is a 503, and the server goes on', async () => {
    const program = fileURLToPath(new URL('./picture-without-descriptors.ts', import.meta.url));
    const limited = ['-c', 'ulimit -n 60 && exec "$0" "$1"', process.execPath, program];
    const { stdout } = await promisify(execFile)('sh', limited);
    expect(stdout).toBe('overloaded, then drawn');
  });

  it('is scaled down if it is larger than any card shows it', async () => {
    const large = await sharp({ create: { width: 5000, height: 2500, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    const picture = await decodePicture('image', large);
    expect([picture.width, picture.height]).toEqual([2048, 1024]);
  });

  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a web page', () => Buffer.from('<!doctype html><p>404</p>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n…')],
    ['a TIFF', () => halves().tiff().toBuffer()],
    ['nothing', () => Buffer.alloc(0)],
    ['a PNG cut off', async () => (await halves().png().toBuffer()).subarray(0, 60)],
    ['a PNG that claims 40,000 × 40,000 pixels', async () => hugePng()],
    ['an SVG that is not XML', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect</svg>')],
    ['an SVG of 10 million by 10 million', () => svg('', 'width="10000000" height="10000000"')],
  ])('that is %s is 400 and says what is allowed', async (_, bytes) => {
    const problem = await decodePicture('avatar', await bytes()).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_parameter', parameter: 'avatar' });
    expect((problem as Problem).message).toMatch(/^avatar .*a png, jpg, webp, avif, gif or svg image\.$/);
  });
});

/** A real PNG whose header was made to lie about its size. */
async function hugePng(): Promise<Buffer> {
  const png = Buffer.from(await halves().png().toBuffer());
  png.writeUInt32BE(40_000, 16);
  png.writeUInt32BE(40_000, 20);
  const { crc32 } = await import('node:zlib');
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

describe('an SVG that asks for endless work', () => {
  const filters = '<feGaussianBlur stdDeviation="50"/>'.repeat(400);
  const uses = Array.from({ length: 30 }, (_, i) => `<g id="a${i + 1}"><use href="#a${i}"/><use href="#a${i}"/></g>`);
  it.each([
    [
      'filters',
      svg(
        `<filter id="f">${filters}</filter><rect width="4000" height="4000" filter="url(#f)"/>`,
        'width="4000" height="4000"',
      ),
    ],
    ['a billion uses', svg(`<g id="a0"><rect width="1" height="1"/></g>${uses.join('')}<use href="#a30"/>`)],
    ['a hundred thousand groups in each other', svg('<g>'.repeat(100_000) + '</g>'.repeat(100_000))],
  ])('by %s is drawn or refused in time', async (_, bytes) => {
    const started = performance.now();
    const result = await decodePicture('logo', bytes).catch((error: unknown) => error);
    if (result instanceof Error) expect(result).toMatchObject({ status: 400, parameter: 'logo' });
    expect(performance.now() - started).toBeLessThan(12_000);
  });

  it('is left alone when the request is over', async () => {
    const deadline = new Deadline(300);
    const bytes = svg(
      `<filter id="f">${filters}</filter><rect width="4000" height="4000" filter="url(#f)"/>`,
      'width="4000" height="4000"',
    );
    await expect(decode('logo', bytes, deadline)).rejects.toMatchObject({ status: 504 });
  });
});

describe('an image that costs much to decode', () => {
  /** The most memory that this process and its children had at once while this ran, in MB. */
  async function memoryDuring(work: () => Promise<unknown>): Promise<{ own: number; children: number }> {
    const residentOf = (pid: string) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    const before = residentOf('self');
    const most = { own: 0, children: 0 };
    const poll = setInterval(() => {
      try {
        most.own = Math.max(most.own, residentOf('self') - before);
        const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
        most.children = Math.max(most.children, ...children.map((pid) => (pid === '' ? 0 : residentOf(pid))));
      } catch {
        // One of them has just ended.
      }
    }, 10);
    await work().finally(() => clearInterval(poll));
    return most;
  }

  it('delays no card without images and takes no memory of the server: an avif of 9 million pixels', async () => {
    const size = { width: 3000, height: 3000, channels: 3, background: '#124' } as const;
    const avif = await sharp({ create: size }).avif({ effort: 0 }).toBuffer();
    const maker = await createTestMaker();
    try {
      const ended: string[] = [];
      const paint = async (image: string) => {
        await maker.card('blog-post', { title: 'One', image });
        ended.push(image);
      };
      await paint('');
      ended.length = 0;
      const urls = Array.from({ length: availableParallelism() }, (_, i) => `https://images.test/${i}.avif`);
      for (const url of urls) maker.files.set(url, avif);
      const { own } = await memoryDuring(() => Promise.all([...urls.map(paint), sleep(100).then(() => paint(''))]));
      expect(ended[0]).toBe('');
      expect(ended).toHaveLength(urls.length + 1);
      expect(own).toBeLessThan(150);
    } finally {
      await maker.stop();
    }
  }, 60_000);

  it('is refused before it has taken more than a gigabyte or so: a drawing with a pattern of 30,000 pixels a side', async () => {
    const pattern = '<pattern id="p" width="30000" height="30000" patternUnits="userSpaceOnUse">';
    const rect =
      '<rect width="30000" height="30000" fill="red"/></pattern><rect width="100" height="100" fill="url(#p)"/>';
    const { children } = await memoryDuring(async () => {
      const problem = await decodePicture('logo', svg(pattern + rect)).catch((error: unknown) => error);
      expect(problem).toMatchObject({ status: 400, parameter: 'logo' });
    });
    expect(children).toBeGreaterThan(0);
    expect(children).toBeLessThan(2000);
  }, 30_000);

  it('is kept small when it is uploaded with a template', async () => {
    const size = { width: 7000, height: 1000, channels: 3, background: '#124' } as const;
    const large = await sharp({ create: size }).png({ progressive: true }).toBuffer();
    const deadline = new Deadline(60_000);
    const { bytes } = await checkFile('wide.png', large, { checkFont: async () => {} }, deadline);
    deadline.done();
    expect((await sharp(bytes).metadata()).width).toBe(2048);
  });
});

describe('an SVG loads nothing', () => {
  let server: Server;
  let folder: string;
  let asked: string[] = [];
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="red"/></svg>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = await mkdtemp(join(tmpdir(), 'tintype-svg-'));
    await writeFile(join(folder, 'red.svg'), svg('<rect width="100" height="100" fill="red"/>'));
    await writeFile(
      join(folder, 'red.png'),
      await sharp(svg('<rect width="100" height="100" fill="red"/>')).png().toBuffer(),
    );
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const ways: [string, (address: string) => string][] = [
    ['an image', (url) => `<image width="100" height="100" href="${url}"/>`],
    ['an image by xlink', (url) => `<image width="100" height="100" xlink:href="${url}"/>`],
    ['a use of another file', (url) => `<use href="${url}#a"/>`],
    [
      'a filter image',
      (url) => `<filter id="f"><feImage href="${url}"/></filter><rect width="100" height="100" filter="url(#f)"/>`,
    ],
    ['a pattern of another file', (url) => `<rect width="100" height="100" fill="url(${url}#p)"/>`],
    [
      'a style sheet',
      (url) => `<style>@import url("${url}"); rect{fill:url("${url}")}</style><rect width="100" height="100"/>`,
    ],
    ['an XML include', (url) => `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${url}"/>`],
    [
      'a page inside',
      (url) =>
        `<foreignObject width="100" height="100"><img xmlns="http://www.w3.org/1999/xhtml" src="${url}"/></foreignObject>`,
    ],
  ];

  it.each(ways)('by %s', async (_, body) => {
    asked = [];
    for (const address of [
      `${base}/red.svg`,
      `file://${folder}/red.svg`,
      `file://${folder}/red.png`,
      `${folder}/red.png`,
    ]) {
      const picture = await decodePicture('logo', svg(body(address))).catch(() => undefined);
      if (!picture) continue;
      const { channels } = await sharp(Buffer.from(picture.src)).flatten({ background: '#ffffff' }).stats();
      const [red, green] = channels;
      expect((red?.mean ?? 0) - (green?.mean ?? 0), address).toBeLessThan(1);
    }
    expect(asked).toEqual([]);
  });

  it('by an entity of a document type', async () => {
    const bytes = Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file://${folder}/red.svg"><!ENTITY y SYSTEM "${base}/y">]>` +
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">&x;&y;<rect width="50" height="100" fill="blue"/></svg>',
    );
    asked = [];
    await decodePicture('logo', bytes).catch(() => undefined);
    expect(asked).toEqual([]);
  });
});

describe('on a card', () => {
  let maker: TestMaker;
  beforeAll(async () => {
    maker = await createTestMaker();
  });

  it('a photograph does not change the bytes of the next card without one', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const photograph = sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff', noise } });
    maker.files.set('https://images.example/photograph', await photograph.png().toBuffer());
    const paint = async (image: string) => (await maker.card('blog-post', { title: 'One', image })).bytes;
    const before = await paint('');
    const withPhotograph = await paint('https://images.example/photograph');
    expect((await paint('https://images.example/photograph')).equals(withPhotograph)).toBe(true);
    expect((await paint('')).equals(before)).toBe(true);
  });

  it('an image that cannot be fetched is a 400 that names the variable', async () => {
    await expect(maker.card('default', { avatar: 'https://images.example/gone.png' })).rejects.toMatchObject({
      status: 400,
      parameter: 'avatar',
      message: 'avatar: the server answered 404.',
    });
  });

  it('a file that is no image is a 400 that names the variable', async () => {
    maker.files.set('https://images.example/page', Buffer.from('<html>'));
    await expect(maker.card('product', { image: 'https://images.example/page' })).rejects.toMatchObject({
      status: 400,
      parameter: 'image',
    });
  });
});
