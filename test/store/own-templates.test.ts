// The files of own templates in both databases.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenStore } from '../../src/store/open.ts';
import { databases } from '../harness/databases.ts';

afterAll(() => Promise.all(databases.map((kind) => kind.end())));

describe.each(databases)('$name', (kind) => {
  let database: Awaited<ReturnType<typeof kind.create>>;
  let store: OpenStore;
  let accountId: string;
  let id: string;

  beforeAll(async () => {
    database = await kind.create();
    store = await database.open();
    accountId = (await store.accounts.create({ email: 'a@example.test', plan: 'pro' })).id;
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    id = (await store.ownTemplates.create(accountId, 'hero', 10, 1))?.id ?? '';
  });
  afterEach(() => store.ownTemplates.remove(accountId, 'hero', 1));

  const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');
  const put = (name: string, content: string) => {
    const bytes = Buffer.from(content);
    return store.ownTemplates.putFile(id, { name, hash: hashOf(content), kind: 'image', size: bytes.length, bytes }, 1);
  };
  const save = async () => {
    const files = JSON.stringify(await store.ownTemplates.files(id));
    await store.ownTemplates.addVersion(id, { source: '', about: '{}', files }, false, 500, 1);
  };
  const isKept = async (content: string) => (await store.ownTemplates.readFile(hashOf(content))) !== undefined;

  it('drops a file that is replaced or removed, unless a version shows it', async () => {
    await put('a.png', 'one');
    await put('b.png', 'other');
    await put('a.png', 'two');
    expect([await isKept('one'), await isKept('two'), await isKept('other')]).toEqual([false, true, true]);
    await save();
    await put('a.png', 'three');
    expect([await isKept('two'), await isKept('three')]).toEqual([true, true]);
    expect(await store.ownTemplates.removeFile(id, 'a.png')).toBe(true);
    expect([await isKept('two'), await isKept('three')]).toEqual([true, false]);
    expect(await store.ownTemplates.removeFile(id, 'a.png')).toBe(false);
    expect((await store.ownTemplates.files(id)).map(({ name }) => name)).toEqual(['b.png']);
    await put('a.png', 'two');
    expect((await store.ownTemplates.files(id)).length).toBe(2);
    expect(await store.ownTemplates.fileBytes(id)).toBe('two'.length + 'other'.length);
  });

  it('refuses a version with a file that was removed or replaced while it was painted', async () => {
    await put('a.png', 'one');
    const files = JSON.stringify(await store.ownTemplates.files(id));
    await put('a.png', 'two');
    const saving = store.ownTemplates.addVersion(id, { source: '', about: '{}', files }, true, 500, 1);
    await expect(saving).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.ownTemplates.find(accountId, 'hero')).toMatchObject({ latest: 0, published: 0 });
  });
});
