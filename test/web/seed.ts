// A month of somebody's work, the same every time: for the gallery, and for tests of what is shown.
import { createKey } from '../../src/access/keys.ts';
import type { RequestRecord, Store } from '../../src/store/store.ts';

const hourMs = 60 * 60 * 1000;

/** Small and repeatable (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const urls = [
  'https://halden.example.com/',
  'https://halden.example.com/beans/yirgacheffe',
  'https://docs.example.org/guide/install',
  'https://news.example.net/2026/on-quiet-software',
];
const failures = [
  { status: 400, code: 'invalid_parameter' },
  { status: 502, code: 'target_unreachable' },
  { status: 504, code: 'render_timeout' },
] as const;

/** Of every 23 captures some are not what a reader would see. */
const codes: Readonly<Record<number, string>> = { 3: 'cut', 11: 'images_failed', 17: 'http_error,bot_wall' };

/** `times` makes a busier account. */
export async function seedUsage(store: Store, accountId: string, days = 30, times = 1): Promise<void> {
  const keys = [];
  for (const name of ['Blog, production', 'Link previews', 'Staging'])
    keys.push((await createKey(store, { accountId, name, limit: 2000 })).key);
  const next = random(7);
  const records: RequestRecord[] = [];
  const now = Date.now();
  for (let hour = days * 24; hour >= 0; hour--) {
    const at = now - hour * hourMs;
    const time = new Date(at);
    const awake = 0.35 + 0.65 * Math.max(0, Math.sin(((time.getUTCHours() - 5) / 24) * 2 * Math.PI));
    const workday = time.getUTCDay() % 6 === 0 ? 0.45 : 1;
    const count = Math.round(
      times * awake * workday * (4 + 7 * next()) * (0.55 + (0.45 * (days * 24 - hour)) / (days * 24)),
    );
    for (let each = 0; each < count; each++) {
      const dice = next();
      const key = keys[dice < 0.6 ? 0 : dice < 0.9 ? 1 : 2];
      const luck = next();
      const outcome = luck < 0.44 ? 'render' : luck < 0.965 ? 'hit' : 'error';
      const failure = failures[Math.floor(next() * failures.length)];
      const og = key === keys[1];
      const renderMs = og ? 24 + next() * 40 : 420 + next() ** 3 * 2600;
      const url = urls[Math.floor(next() * urls.length)] ?? '';
      records.push({
        id: `seed-${hour}-${each}`,
        accountId,
        keyId: key?.id ?? '',
        at: Math.round(at - next() * hourMs),
        endpoint: og ? 'og' : 'screenshot',
        status: outcome === 'error' ? (failure?.status ?? 500) : 200,
        outcome,
        code: outcome === 'error' ? (failure?.code ?? null) : null,
        renderMs: outcome === 'error' ? null : Math.round(renderMs),
        totalMs: Math.round(outcome === 'hit' ? 1 + next() * 3 : renderMs),
        parameters: JSON.stringify(
          og ? { template: 'blog-post', title: 'On quiet software' } : { url, fullPage: 'true', format: 'webp' },
        ),
        phases: JSON.stringify(
          outcome !== 'render'
            ? {}
            : og
              ? { images: 1, paint: renderMs * 0.8, store: 3 }
              : {
                  dns: 9,
                  queue: 2,
                  load: renderMs * 0.55,
                  settle: renderMs * 0.18,
                  capture: renderMs * 0.22,
                  store: 6,
                },
        ),
        warnings: JSON.stringify(next() < 0.03 ? ['The page is higher than 16,384 pixels and was cut.'] : []),
        cacheKey: null,
        verdict: og || outcome === 'error' ? null : (codes[records.length % 23] ?? ''),
      });
    }
  }
  await store.usage.record(records);
  await store.keys.touch([keys[0]?.id ?? ''], now - 42_000);
  await store.keys.touch([keys[1]?.id ?? ''], now - 3 * hourMs);
}
