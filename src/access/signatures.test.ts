import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../kernel/log.ts';
import type { Account, ApiKey, Store } from '../store/store.ts';
import { authenticateLink, signFile, signLink, verifyFile } from './signatures.ts';

const refused = { code: 'invalid_signature', status: 401 };
const because = (parameter: string, message: string) => ({
  ...refused,
  parameter,
  message: expect.stringContaining(message),
});

describe('a signed link', () => {
  const secret = 'signing secret of the key';
  const account: Account = {
    id: 'acc_1',
    email: 'a@b.test',
    name: '',
    plan: 'pro',
    admin: false,
    disabled: false,
    twoFactor: false,
    createdAt: 0,
  };
  const key: ApiKey = {
    id: 'key_abc123',
    accountId: account.id,
    name: '',
    first: '',
    last: '',
    createdAt: 0,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: null,
    allowedHosts: null,
    allowedTemplates: null,
  };
  const storeWith = (found: { key: ApiKey; account: Account }) =>
    ({
      keys: {
        findForSigning: async (id: string) => (id === found.key.id ? { ...found, signingSecret: secret } : undefined),
      },
    }) as unknown as Pick<Store, 'keys'>;
  const store = storeWith({ key, account });
  const sign = (path = '/v1/og?template=quote&title=Gr%C3%BC%C3%9Fe+an+alle', expires?: number) =>
    signLink({ path, keyId: key.id, secret, expires });

  it('acts for its key, and is what the documentation says: HMAC-SHA256 over all that comes before', async () => {
    const link = sign();
    const [before = '', signature] = link.split('&signature=');
    expect(before).toBe('/v1/og?template=quote&title=Gr%C3%BC%C3%9Fe+an+alle&key_id=key_abc123');
    expect(signature).toBe(createHmac('sha256', secret).update(before).digest('hex'));
    expect(await authenticateLink(link, store)).toEqual({ key, account });
  });

  it('may stand on a path without a query', async () => {
    expect(sign('/v1/og')).toMatch(/^\/v1\/og\?key_id=key_abc123&signature=/);
    expect(await authenticateLink(sign('/v1/og'), store)).toEqual({ key, account });
  });

  it('is refused when anything in it is changed', async () => {
    const link = sign();
    const changed = [
      link.replace('quote', 'event'),
      link.replace('/v1/og', '/v1/screenshot'),
      link.replace('+an', '%20an'),
      link.replace('&key_id', '&x=1&key_id'),
      `${link}&title=other`,
      `${link}x`,
      link.slice(0, -1),
      link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      link.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase()),
      link.replace(/.$/, 'ß'),
      sign('/v1/og?template=quote#title=Hello'),
      link.replace('&signature=', '&Signature='),
      link.replace(/&signature=.*/, ''),
      link.replace(/&signature=.*/, '&signature='),
      link.replace('key_abc123', 'key_other'),
      link.replace('key_id=key_abc123', 'key_id='),
      `/v1/og?signature=${'0'.repeat(64)}`,
    ];
    for (const url of changed) await expect(authenticateLink(url, store), url).rejects.toMatchObject(refused);
  });

  it('opens with any words in it, and never once one character of it is another', async () => {
    const words = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }), {
      maxKeys: 4,
      noNullPrototype: true,
    });
    const characters = [...'abcdefABCDEF0123456789%&=?/+._-'];
    await fc.assert(
      fc.asyncProperty(words, fc.nat(), fc.constantFrom(...characters), async (variables, where, other) => {
        const { key_id: _, expires: __, signature: ___, api_key: ____, ...rest } = variables;
        const link = sign(`/v1/og?${new URLSearchParams({ template: 'quote', ...rest })}`);
        expect(await authenticateLink(link, store)).toEqual({ key, account });
        const at = where % link.length;
        fc.pre(link[at] !== other);
        const changed = link.slice(0, at) + other + link.slice(at + 1);
        await expect(authenticateLink(changed, store), changed).rejects.toMatchObject(refused);
      }),
    );
  });

  it('is refused when it names two keys or two times, even if it is signed so', async () => {
    for (const query of [
      'key_id=key_other&template=a',
      'key%5Fid=key_other&template=a',
      'expires=9&expires=99999999999',
    ])
      await expect(authenticateLink(sign(`/v1/og?${query}`), store)).rejects.toMatchObject(refused);
  });

  it('dies when it expires, and not before', async () => {
    const link = sign('/v1/og?template=quote', 2_000_000);
    expect(link).toContain('&key_id=key_abc123&expires=2000000&signature=');
    expect(await authenticateLink(link, store, 1_999_999_999)).toEqual({ key, account, expiresAt: 2_000_000_000 });
    await expect(authenticateLink(link, store, 2_000_000_000)).rejects.toMatchObject(
      because('expires', 'This link expired at 1970-01-24T03:33:20.000Z.'),
    );
  });

  it('that is refused says why: its key, its signature or its time', async () => {
    const link = sign('/v1/og?template=quote', 2_000_000);
    const reasons: [string, object][] = [
      [link.replace('key_abc123', 'key_other'), because('key_id', 'There is no API key with the id key_other.')],
      [link.replace('key_abc123', 'abc123'), because('key_id', 'key_id must be the id of an API key')],
      [link.replace('&key_id=key_abc123', ''), because('key_id', 'key_id must be the id of an API key')],
      [link.replace('quote', 'event'), because('signature', 'with the signing secret of key_abc123')],
      // Whoever cannot sign does not learn that the time is over.
      [link.replace('2000000', '1000000'), because('signature', 'The signature is wrong')],
      [link.slice(0, -1), because('signature', 'A signed link ends with &signature= and 64 hexadecimal digits')],
      [sign('/v1/og?expires=soon'), because('expires', 'expires must be a Unix time in whole seconds.')],
      [sign('/v1/og?expires=1&expires=2'), because('expires', 'expires is given twice')],
      [link, because('expires', 'This link expired')],
    ];
    for (const [url, reason] of reasons) {
      const problem = await authenticateLink(url, store).catch((error: Error) => error);
      expect(problem, url).toMatchObject(reason);
      // Responses are redacted; the reason must have nothing in it that looks like a secret.
      expect(redact((problem as Error).message)).toBe((problem as Error).message);
    }
    const revoked = storeWith({ key: { ...key, revokedAt: 1 }, account });
    await expect(authenticateLink(sign(), revoked)).rejects.toMatchObject(
      because('key_id', 'is revoked or has expired'),
    );
    await expect(authenticateLink(sign('/v1/og?a=1').replace('a=1', 'a=2'), revoked)).rejects.toMatchObject(
      because('signature', 'The signature is wrong'),
    );
  });

  it('with an expiry that cannot be read is refused, not eternal', async () => {
    for (const expires of ['', 'never', '-1', '1e99', '%20', '99999999999999'])
      await expect(authenticateLink(sign(`/v1/og?template=a&expires=${expires}`), store)).rejects.toMatchObject(
        refused,
      );
  });

  it('dies with its key and with its account', async () => {
    const gone = [
      { key: { ...key, revokedAt: 1 }, account },
      { key: { ...key, expiresAt: 1 }, account },
      { key, account: { ...account, disabled: true } },
      { key: { ...key, id: 'key_other' }, account },
    ];
    for (const found of gone) await expect(authenticateLink(sign(), storeWith(found))).rejects.toMatchObject(refused);
  });
});

describe('a link to a file', () => {
  const link = signFile('/v1/files/abc.png', 2_000_000, 'secret');

  it('opens until it expires', () => {
    expect(link).toMatch(/^\/v1\/files\/abc\.png\?expires=2000000&signature=[0-9a-f]{64}$/);
    expect(() => verifyFile(link, 'secret', 1_999_999_999)).not.toThrow();
    expect(() => verifyFile(link, 'secret', 2_000_000_000)).toThrow('This link expired at');
  });

  it('opens nothing else, for no longer, and not with another secret', () => {
    const now = 1;
    for (const url of [link.replace('abc', 'abd'), link.replace('2000000', '9000000'), `${link}0`, '/v1/files/abc.png'])
      expect(() => verifyFile(url, 'secret', now), url).toThrow(/signature/);
    expect(() => verifyFile(link, 'other secret', now)).toThrow('The signature of this link is wrong.');
    // What is signed with the bare secret for something else is no link to a file.
    const bare = createHmac('sha256', 'secret').update('/v1/files/abc.png?expires=2000000').digest('hex');
    expect(() => verifyFile(`/v1/files/abc.png?expires=2000000&signature=${bare}`, 'secret', now)).toThrow();
  });
});
