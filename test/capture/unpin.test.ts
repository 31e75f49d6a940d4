import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPoppler, textOfPdf } from '../harness/pdf.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

const count = 8;
const bands = Array.from(
  { length: count },
  (_, i) => `<section style="height:600px;background:rgb(${20 * (i + 1)}, 100, 50)">Section ${i}</section>`,
).join('');
const moving = (by: string) => `<script>
  const content = document.querySelector('#content');
  const fit = () => { document.body.style.height = content.offsetHeight + 'px' };
  fit();
  addEventListener('resize', fit);
  let y = 0;
  (function move() {
    y += (scrollY - y) * 0.1;
    content.style.transform = ${by};
    requestAnimationFrame(move);
  })();
</script>`;
const turning = (target: string) => `<script>
  let y = 0;
  let to = 0;
  ${target}.addEventListener('wheel', (event) => {
    to = Math.max(0, Math.min(content.offsetHeight - innerHeight, to + event.deltaY));
  });
  (function move() {
    y += (to - y) * 0.2;
    content.style.transform = 'translate3d(0,' + -y + 'px,0)';
    requestAnimationFrame(move);
  })();
</script>`;

const pages = {
  'moves its content in a fixed element': `<style>body{margin:0} #holder{position:fixed;inset:0;overflow:hidden}</style>
    <div id=holder><div id=content>${bands}</div></div>${moving("'translate3d(0,' + -y + 'px,0)'")}`,
  'moves its content, which is fixed itself': `<style>body{margin:0} #content{position:fixed;top:0;left:0;width:100%}</style>
    <div id=content>${bands}</div>${moving("'translateY(' + -y + 'px)'")}`,
  'moves its content by the wheel, and is fixed as a whole': `<style>body{margin:0} html{position:fixed;inset:0} html,body{overflow:hidden}</style>
    <div id=content>${bands}</div><script>
      let y = 0;
      addEventListener('wheel', (event) => {
        y = Math.max(0, Math.min(content.offsetHeight - innerHeight, y + event.deltaY));
        content.style.transform = 'translateY(' + -y + 'px)';
      })</script>`,
  'moves its content by the wheel in a fixed element': `<style>html,body{margin:0;height:100%;overflow:hidden} #holder{position:fixed;inset:0;overflow:hidden}</style>
    <div id=holder><div id=content>${bands}</div></div>${turning('window')}`,
  'moves its content by the wheel in an element that listens itself': `<style>html,body{margin:0;height:100%;overflow:hidden} #holder{height:100vh;overflow:hidden}</style>
    <div id=holder><div id=content>${bands}</div></div>${turning('holder')}`,
  'a dialog has locked': `<style>body{margin:0;position:fixed;top:0;width:100%;overflow-y:scroll}</style>${bands}
    <dialog open style="position:fixed;top:100px">Accept?</dialog><script>1</script>`,
  'is a frame that fills the window': `<style>html,body{margin:0;height:100%} iframe{width:100%;height:100%;border:0;display:block}</style>
    <iframe srcdoc='<body style="margin:0">${bands.replaceAll('"', '&quot;')}'></iframe>`,
} as const;

describe.each(Object.entries(pages))('a page that %s', (_, html) => {
  it('is captured whole', async () => {
    const { bytes } = await harness.capture(harness.site.page(`<!doctype html>${html}`), { fullPage: true });
    const picture = await pixels(bytes);
    expect(picture.height).toBe(600 * count);
    const seen = Array.from({ length: count }, (_, i) => picture.at(900, 600 * i + 300));
    expect(seen).toEqual(Array.from({ length: count }, (_, i) => hex(20 * (i + 1))));
  });

  it.skipIf(!hasPoppler())('is printed whole', async () => {
    const { bytes } = await harness.capture(harness.site.page(`<!doctype html>${html}`), { format: 'pdf' });
    const text = textOfPdf(bytes);
    for (let i = 0; i < count; i++) expect(text.split(`Section ${i}`)).toHaveLength(2);
  });
});

const hex = (red: number) => `#${red.toString(16).padStart(2, '0')}6432`;
