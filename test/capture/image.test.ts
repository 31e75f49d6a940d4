import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance } from '../harness/picture.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

// Four colours in the corners, a fifth below the fold.
const corners = `<!doctype html><title>Corners</title><style>body{margin:0;height:1600px;background:#fff;position:relative}
i{position:absolute;width:100px;height:100px}</style>
<i style="left:0;top:0;background:#ff0000"></i><i style="right:0;top:0;background:#00ff00"></i>
<i style="left:0;top:700px;background:#0000ff"></i><i style="left:200px;top:1200px;background:#ffaa00"></i>`;

describe('an image', () => {
  it.each([
    ['png', 'image/png', 'png'],
    ['jpg', 'image/jpeg', 'jpeg'],
    ['webp', 'image/webp', 'webp'],
    ['avif', 'image/avif', 'heif'],
  ])('comes as %s with the size it says', async (format, type, decodedAs) => {
    const captured = await harness.capture(harness.site.page(corners), { format, quality: 100 });
    expect(captured.type).toBe(type);
    expect((await sharp(captured.bytes).metadata()).format).toBe(decodedAs);
    const picture = await pixels(captured.bytes);
    expect([picture.width, picture.height]).toEqual([1280, 800]);
    expect([captured.width, captured.height]).toEqual([1280, 800]);
    expect(distance(picture.at(50, 50), '#ff0000')).toBeLessThan(6);
    expect(distance(picture.at(1230, 50), '#00ff00')).toBeLessThan(6);
    expect(distance(picture.at(50, 750), '#0000ff')).toBeLessThan(6);
    expect(distance(picture.at(640, 400), '#ffffff')).toBeLessThan(3);
    expect(captured.page).toEqual({ status: 200, finalUrl: expect.stringContaining('/page-'), title: 'Corners' });
    expect(captured.warnings).toEqual([]);
  });

  it.each(['jpg', 'webp', 'avif'])('of %s is smaller at a lower quality', async (format) => {
    const url = harness.site.page(
      `<body style="margin:0;background:conic-gradient(red,lime,blue,red)"><h1>${'quality '.repeat(500)}`,
    );
    const [low, high] = [
      await harness.capture(url, { format, quality: 10 }),
      await harness.capture(url, { format, quality: 95 }),
    ];
    expect(low.bytes.length).toBeLessThan(high.bytes.length / 2);
  });

  it.each([
    [1, 1, 1],
    [333, 777, 1],
    [640, 480, 2],
    [400, 300, 2.5],
    [3840, 200, 1],
  ])('of a viewport of %i × %i at scale %f has that many pixels', async (width, height, deviceScale) => {
    const captured = await harness.capture(harness.site.page(corners), { width, height, deviceScale });
    const picture = await pixels(captured.bytes);
    expect([picture.width, picture.height]).toEqual([width * deviceScale, height * deviceScale]);
    expect([captured.width, captured.height]).toEqual([width * deviceScale, height * deviceScale]);
    expect(picture.at(0, 0)).toBe(width === 1 ? picture.at(0, 0) : '#ff0000');
  });

  it('is the same bytes when the same page is captured twice', async () => {
    const url = harness.site.page(`<!doctype html><style>
      @keyframes spin { to { transform: rotate(360deg) } } @keyframes slide { from { margin-left: 0 } to { margin-left: 500px } }
      .spin { width:100px;height:100px;background:#c00;animation: spin 1s linear infinite }
      .slide { width:100px;height:100px;background:#0c0;animation: slide 2s both } </style>
      <div class=spin></div><div class=slide></div><input autofocus value="caret"><div id=t></div>
      <script>document.querySelector('#t').animate([{opacity:0},{opacity:1}],{duration:3000})</script>`);
    const first = await harness.capture(url);
    const second = await harness.capture(url, { delay: 137 });
    expect(first.bytes.equals(second.bytes)).toBe(true);
    // A finite animation is shown at its end.
    expect((await pixels(first.bytes)).at(550, 150)).toBe('#00cc00');
  });

  it('shows videos and animated images at their first frame, whenever it is taken', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
        sharp({ create: { width: 50, height: 50, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [200, 200, 200], loop: 0 })
      .toBuffer();
    harness.site.on('/moving.gif', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/gif' }).end(gif);
    });
    // A film of about a second, red and then blue, recorded by the page itself: it is red until the recorder has begun, and
    // for some frames more.
    const url = harness.site.page(`<!doctype html><body style="margin:0"><img src="/moving.gif"><br>
      <video id=video muted autoplay loop width=100 height=100></video><script>
      const canvas = Object.assign(document.createElement('canvas'), { width: 100, height: 100 }), pen = canvas.getContext('2d'), parts = [];
      let n = 0; const draw = () => { pen.fillStyle = n < 5 ? '#f00' : '#00f'; pen.fillRect(0, 0, 100, 100) }; draw();
      const recorder = new MediaRecorder(canvas.captureStream(20));
      const timer = setInterval(() => {
        draw();
        if (hasBegun && ++n === 20) { clearInterval(timer); recorder.stop() }
      }, 50);
      let hasBegun = false; recorder.onstart = () => { hasBegun = true };
      recorder.ondataavailable = (event) => parts.push(event.data);
      recorder.onstop = () => { video.src = URL.createObjectURL(new Blob(parts, { type: 'video/webm' })); video.play(); document.body.id = 'playing' };
      recorder.start()</script>`);
    for (const delay of [350, 700]) {
      const picture = await pixels((await harness.capture(url, { waitForSelector: '#playing', delay })).bytes);
      expect(picture.at(25, 25)).toBe('#ff0000');
      expect(distance(picture.at(50, 110), '#ff0000')).toBeLessThan(12);
    }
  });
});

describe('clip', () => {
  it('gives the region of the page, also below the fold', async () => {
    const url = harness.site.page(corners);
    const inView = await pixels((await harness.capture(url, { clip: '0,690,120,50' })).bytes);
    expect([inView.width, inView.height]).toEqual([120, 50]);
    expect([inView.at(5, 5), inView.at(5, 15), inView.at(110, 15)]).toEqual(['#ffffff', '#0000ff', '#ffffff']);
    const below = await pixels((await harness.capture(url, { clip: '190,1190,200,60' })).bytes);
    expect([below.width, below.height]).toEqual([200, 60]);
    expect([below.at(5, 30), below.at(15, 30), below.at(115, 30)]).toEqual(['#ffffff', '#ffaa00', '#ffffff']);
  });

  it('is multiplied by deviceScale', async () => {
    const captured = await harness.capture(harness.site.page(corners), { clip: '0,0,50,40', deviceScale: 2 });
    const picture = await pixels(captured.bytes);
    expect([picture.width, picture.height]).toEqual([100, 80]);
    expect(picture.at(99, 79)).toBe('#ff0000');
  });

  it('is cut to the page where it sticks out', async () => {
    const captured = await harness.capture(harness.site.page(corners), { clip: '1200,1500,500,500' });
    expect([captured.width, captured.height]).toEqual([80, 100]);
  });

  it('wins over fullPage', async () => {
    const captured = await harness.capture(harness.site.page(corners), { clip: '0,0,10,10', fullPage: true });
    expect([captured.width, captured.height]).toEqual([10, 10]);
  });

  it('wholly outside the page is an error that names it', async () => {
    const shot = harness.capture(harness.site.page(corners), { clip: '0,5000,10,10' });
    await expect(shot).rejects.toMatchObject({ code: 'invalid_parameter', parameter: 'clip' });
  });
});

describe('a picture beyond the limit of its format', () => {
  it.each([
    ['webp', { fullPage: true }, '16383 pixels a side, and this picture has 17000'],
    ['avif', { fullPage: true }, '16384 pixels a side, and this picture has 17000'],
    ['avif', { fullPage: true, width: 100, deviceScale: 2 }, '16384 pixels a side, and this picture has 34000'],
    ['avif', { width: 3840, height: 3840, deviceScale: 2 }, '20 megapixels, and this picture has 59'],
  ])('of %s with %o is refused with what to use instead', async (format, query, limit) => {
    const url = harness.site.page('<body style="margin:0;height:17000px;background:linear-gradient(red,blue)">');
    await expect(harness.capture(url, { format, ...query })).rejects.toMatchObject({
      code: 'invalid_parameter',
      parameter: 'format',
      message: `${format} holds at most ${limit}. Use png or jpg.`,
    });
  });
});
