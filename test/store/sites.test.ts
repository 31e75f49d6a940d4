// Sites and their pages in both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenStore } from '../../src/store/open.ts';
import type { Site } from '../../src/store/sites.ts';
import { databases } from '../harness/databases.ts';

afterAll(() => Promise.all(databases.map((kind) => kind.end())));

const dayMs = 24 * 60 * 60 * 1000;

describe.each(databases)('$name', (kind) => {
  let database: Awaited<ReturnType<typeof kind.create>>;
  let store: OpenStore;
  let accountId: string;
  let made = 0;

  beforeAll(async () => {
    database = await kind.create();
    store = await database.open();
    accountId = (await store.accounts.create({ email: 'a@example.test', plan: 'pro' })).id;
  });
  afterAll(() => database.remove());

  const site = (more: Partial<Site> = {}): Site => ({
    ...{ id: `site_${++made}`, accountId, origin: `https://${made}.test`, token: 't', name: 'Änne', description: '' },
    ...{ template: 'default', values: { accent: '#fff' }, mapping: { date: null }, createdAt: made, changedAt: made },
    ...{ verifiedAt: null, verifiedBy: null, checkedAt: null, lostAt: null, ...more },
  });

  it('holds a site as it was given, each origin once, and as many as allowed, also of many at once', async () => {
    const one = site();
    expect(await store.sites.create(one, 5)).toBe(true);
    expect((await store.sites.find(one.id))?.site).toEqual(one);
    expect(await store.sites.create(site({ origin: one.origin }), 5)).toBe(false);
    const many = await Promise.all(Array.from({ length: 10 }, () => store.sites.create(site(), 5)));
    expect(many.filter(Boolean).length).toBe(4);
    expect((await store.sites.list(accountId)).length).toBe(5);
  });

  it('finds the verified sites whose check is due, the longest waiting first', async () => {
    const now = 100 * dayMs;
    const checked = (days: number, more: Partial<Site> = {}) =>
      site({ verifiedAt: 1, verifiedBy: 'dns', checkedAt: now - days * dayMs, ...more });
    const [fresh, old, lost, never] = [checked(1), checked(8), checked(2, { lostAt: 1 }), site({ checkedAt: 1 })];
    for (const each of [fresh, old, lost, never]) await store.sites.create(each, 1000);
    const due = await store.sites.due(now - 7 * dayMs, now - dayMs, 10);
    expect(due.map(({ id }) => id)).toEqual([old.id, lost.id]);
  });

  it('notes a proof, its loss and its return; not a check without one that began before another ended', async () => {
    const one = site();
    await store.sites.create(one, 1000);
    const now = async () => (await store.sites.find(one.id))?.site ?? one;
    const note = async (by: Site['verifiedBy'], at: number, before?: Site) => {
      await store.sites.noteCheck(before ?? (await now()), by ?? undefined, at);
      const { verifiedAt, verifiedBy, checkedAt, lostAt } = await now();
      return [verifiedAt, verifiedBy, checkedAt, lostAt];
    };
    expect(await note(null, 1)).toEqual([null, null, 1, null]);
    const before = await now();
    expect(await note('file', 2)).toEqual([2, 'file', 2, null]);
    expect(await note(null, 3, before)).toEqual([2, 'file', 2, null]);
    expect(await note(null, 4)).toEqual([2, 'file', 4, 4]);
    expect(await note(null, 5)).toEqual([2, 'file', 5, 4]);
    expect(await note('dns', 6, before)).toEqual([2, 'dns', 6, null]);
  });

  it('forgets the oldest of too many pages, never the home page, and keeps the key of the last card', async () => {
    const { id } = site();
    await store.sites.create(site({ id }), 1000);
    await store.sites.putPage(id, { path: '/', facts: '{}', readAt: 0 }, 3);
    for (let i = 1; i <= 5; i++) await store.sites.putPage(id, { path: `/${i}`, facts: '{}', readAt: i }, 3);
    const paths = ['/', '/1', '/2', '/3', '/4', '/5'];
    const kept = await Promise.all(paths.map((path) => store.sites.page(id, path)));
    expect(kept.map((page) => page?.path)).toEqual(['/', undefined, undefined, '/3', '/4', '/5']);
    expect(await store.sites.countPages(id)).toBe(4);
    await store.sites.setCard(id, '/5', 'key');
    await store.sites.putPage(id, { path: '/5', facts: '{"title":"ö"}', readAt: 9 }, 3);
    expect(await store.sites.page(id, '/5')).toEqual({ path: '/5', facts: '{"title":"ö"}', readAt: 9, cardKey: 'key' });
  });

  it('is changed and removed by its account only, and goes with it', async () => {
    const one = site();
    await store.sites.create(one, 1000);
    await store.sites.putPage(one.id, { path: '/', facts: '{}', readAt: 0 }, 3);
    await store.sites.change('somebody', one.id, { ...one, name: 'theirs' }, 5);
    expect(await store.sites.remove('somebody', one.id)).toBe(false);
    expect((await store.sites.find(one.id))?.site.name).toBe('Änne');
    await store.accounts.remove(accountId);
    expect(await store.sites.find(one.id)).toBeUndefined();
    expect(await store.sites.page(one.id, '/')).toBeUndefined();
  });
});
