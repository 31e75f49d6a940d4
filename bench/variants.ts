// Variants of cached pictures: a 1280 × 800 png that is cached, made 400 px wide from its bytes, over HTTP, against a hit
// of the same picture. `npm run bench:variants`
import { get } from '../test/harness/http-client.ts';
import { interleave, loadNote, median, ratioTable, setting } from './measure.ts';
import { startPages } from './pages.ts';
import { report } from './report.ts';
import { startTintype } from './sides.ts';

const rounds = setting('ROUNDS', 60);
const pages = await startPages();
const { url, key, close } = await startTintype();

async function ask(page: string, more: Record<string, string | number> = {}, cache = 'HIT'): Promise<void> {
  const query = new URLSearchParams({ url: `${pages.url}/${page}` });
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  const { status, headers, body } = await get(`${url}/v1/screenshot?${query}`, { 'x-api-key': key });
  if (status !== 200 || headers['x-cache'] !== cache) throw new Error(`${status} ${headers['x-cache']} ${body}`);
}

try {
  for (const page of ['small', 'heavy'] as const) {
    await ask(page, {}, 'MISS');
    // Every request asks for another size near 400, so that none is stored yet.
    let made = 0;
    const sides = [
      { name: 'hit', once: () => ask(page) },
      { name: 'variant, stored', once: () => ask(page, { resizeWidth: 399 }) },
      { name: 'variant, 400 px', once: () => ask(page, { resizeWidth: 400, resizeHeight: 1000 + made++ }) },
    ];
    const timings = await interleave(sides, rounds, { warmup: 10 });
    console.log(ratioTable(`variants of cached pictures, ${page} page (${rounds} rounds, ${loadNote()})`, timings));
    report(`variant.${page}`, median(timings[2]?.ms ?? []));
  }
} finally {
  await close();
  pages.close();
}
