// What happens to a delivery: signed, tried on schedule, ended; and what a bad receiver costs.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../harness/ports.ts';
import { type Receiver, startReceiver, verify } from './receiver.ts';
import { openSender, type SenderHarness } from './sender-harness.ts';

const minute = 60_000;
const hour = 60 * minute;
const eventually = <T>(look: () => T | false) => vi.waitUntil(look, { timeout: 20_000, interval: 5 });

const held: ServerResponse[] = [];
const release = () => {
  for (const response of held.splice(0)) response.end('at last');
};
let bytesSent = 0;
let floodClosed = false;

let receiver: Receiver;
/** The same receiver under several addresses. */
let hosts: string[];
let sender: SenderHarness;
beforeAll(async () => {
  receiver = await startReceiver({
    '/500': (_, response) => void response.writeHead(500).end('no\0 £'.padEnd(1022, 'x').concat('ü and more')),
    '/410': (_, response) => void response.writeHead(410).end(),
    '/204': (_, response) => void response.writeHead(204).end(),
    '/redirect': (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    '/held': (_, response) => void held.push(response),
    '/hang': () => {},
    '/stopped': (_, response) => void (receiver.at('/stopped').length > 1 && response.end()),
    '/flood': (_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (bytesSent < 1e9 && !response.closed) {
          bytesSent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      response.on('close', () => {
        floodClosed = true;
      });
      more();
    },
  });
  const { port } = new URL(receiver.url);
  hosts = Array.from({ length: 8 }, (_, i) => `http://127.0.0.${i + 1}:${port}`);
  sender = await openSender();
});
afterAll(async () => {
  release();
  await sender.close();
  await receiver.close();
});

const spoilSecret = (accountId: string) =>
  sender.store.db
    .updateTable('webhook_secrets')
    .set({ secret: 'A'.repeat(80) })
    .where('account_id', '=', accountId)
    .execute();

it('an account whose secret cannot be decrypted gets a new one, and its delivery goes out', async () => {
  const { id: accountId } = await sender.newAccount();
  const before = await sender.secrets.of(accountId);
  await spoilSecret(accountId);
  const id = await sender.deliver(`${receiver.url}/new-secret`, { accountId });
  expect(await sender.tried(id, 1)).toMatchObject({ state: 'delivered' });
  const [request] = receiver.at('/new-secret');
  if (!request) throw new Error('nothing arrived');
  const { secret, previous } = await sender.secrets.of(accountId);
  expect([secret === before.secret, previous]).toEqual([false, undefined]);
  expect(verify(secret, request)).toMatchObject({ type: 'job.done' });
});

it('a process with an old secret of the service tries a delivery on schedule, not all the time', async () => {
  const { id: accountId } = await sender.newAccount();
  await sender.secrets.of(accountId);
  await spoilSecret(accountId);
  sender.hasOldSecret = true;
  const id = await sender.deliver(`${receiver.url}/unsigned`, { accountId });
  const { dueAt, ...found } = await sender.tried(id, 1);
  sender.hasOldSecret = false;
  expect(found).toMatchObject({ state: 'pending', attempts: 1, tries: [{ status: null }] });
  expect(dueAt).toBe(sender.now() + 5000);
  expect(receiver.at('/unsigned')).toEqual([]);
});

it('a delivery passes the verifier of Standard Webhooks; tampered, old, unsigned and foreign ones do not', async () => {
  const id = await sender.deliver(`${receiver.url}/ok?a=b#c`);
  expect(await sender.tried(id, 1)).toMatchObject({ state: 'delivered', attempts: 1, dueAt: null });
  const [request] = receiver.at('/ok?a=b');
  if (!request) throw new Error('nothing arrived');
  const { secret } = await sender.secrets.of(sender.account.id);
  expect(verify(secret, request)).toMatchObject({ type: 'job.done', data: { n: 'ü' } });
  expect(request.id).toBe(id);
  expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Tintype' });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

  expect(() => verify(secret, { ...request, body: request.body.replace('ü', 'u') })).toThrow('No matching signature');
  const changed = (headers: Record<string, string>) => ({ ...request, headers: { ...request.headers, ...headers } });
  expect(() => verify(secret, changed({ 'webhook-id': 'msg_other' }))).toThrow('No matching signature');
  expect(() => verify(secret, changed({ 'webhook-signature': '' }))).toThrow('Missing required headers');
  const old = String(Number(request.headers['webhook-timestamp']) - 301);
  expect(() => verify(secret, changed({ 'webhook-timestamp': old }))).toThrow('too old');
  const other = await sender.secrets.of((await sender.newAccount()).id);
  expect(() => verify(other.secret, request)).toThrow('No matching signature');
});

it('a delivery that fails is tried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then given up', async () => {
  const waits = [5000, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
  const id = await sender.deliver(`${receiver.url}/500`);
  for (const [index, wait] of waits.entries()) {
    const { state, dueAt, attempts, tries } = await sender.tried(id, index + 1);
    expect({ state, attempts }).toEqual({ state: 'pending', attempts: index + 1 });
    expect(tries).toHaveLength(index + 1);
    expect((dueAt ?? 0) - (tries.at(-1)?.at ?? 0)).toBe(wait);
    // Not before its time: another one, which is due, is sent meanwhile.
    sender.ahead += wait - 1;
    await sender.tried(await sender.deliver(`${receiver.url}/meanwhile`), 1);
    expect((await sender.find(id)).tries).toHaveLength(index + 1);
    sender.ahead += 1;
    sender.sender.wake();
  }
  expect(await sender.tried(id, 10)).toMatchObject({ state: 'failed', attempts: 10, dueAt: null });
  const all = receiver.at('/500');
  expect(new Set(all.map((request) => request.id))).toEqual(new Set([id]));
  expect(all).toHaveLength(10);
  // Each is signed for its own time, so that a receiver that refuses old ones takes it.
  const stamps = all.map((request) => Number(request.headers['webhook-timestamp']));
  expect((stamps.at(-1) ?? 0) - (stamps[0] ?? 0)).toBeGreaterThan(75 * 3600);
});

it('the first kilobyte of an answer is kept as text', async () => {
  const id = await sender.deliver(`${receiver.url}/500`);
  const [attempt] = (await sender.tried(id, 1)).tries;
  expect(attempt?.error).toBe('It answered 500.');
  expect(attempt?.answer).toBe('no £'.padEnd(1021, 'x'));
});

it('410 ends a delivery, any other 2xx than 200 delivers it', async () => {
  const [gone, fine] = [await sender.deliver(`${receiver.url}/410`), await sender.deliver(`${receiver.url}/204`)];
  const ended = await sender.tried(gone, 1);
  expect(ended).toMatchObject({ state: 'failed', dueAt: null });
  expect(ended.tries[0]).toMatchObject({ status: 410, error: 'It answered 410, so it is not tried again.' });
  expect(await sender.tried(fine, 1)).toMatchObject({ state: 'delivered' });
});

it('a redirect is a failure and is not followed', async () => {
  const id = await sender.deliver(`${receiver.url}/redirect`);
  expect((await sender.tried(id, 1)).tries[0]).toMatchObject({
    status: 302,
    error: 'It answered 302. Redirects are not followed.',
  });
  expect(receiver.at('/elsewhere')).toEqual([]);
});

it('of an answer of 1 GB only the start is read', async () => {
  const id = await sender.deliver(`${receiver.url}/flood`);
  expect(await sender.tried(id, 1)).toMatchObject({ state: 'delivered' });
  await eventually(() => floodClosed);
  // What fits into the buffers of both sockets.
  expect(bytesSent).toBeLessThan(20e6);
});

it('nobody listening, and a certificate that is not valid, are told in plain words', async () => {
  const id = await sender.deliver(`http://127.0.0.1:${await freePort()}/`);
  expect((await sender.tried(id, 1)).tries[0]?.error).toMatch(/could not be reached: the connection was refused\.$/);
  const tls = await sender.deliver(receiver.url.replace('http:', 'https:'));
  expect((await sender.tried(tls, 1)).tries[0]?.error).toMatch(/certificate or TLS connection is not valid\.$/);
});

it('a host that never answers fails in time, and holds up neither other accounts nor other hosts', async () => {
  const impatient = await openSender({ timeoutMs: 2000 });
  try {
    const hanging = await Promise.all(Array.from({ length: 9 }, () => impatient.deliver(`${receiver.url}/hang`)));
    await eventually(() => receiver.at('/hang').length >= 7);
    // Two hosts may share a lane, but not all of these.
    const others = await Promise.all(hosts.slice(1).map((host) => impatient.deliver(`${host}/other-host`)));
    const accountId = (await impatient.newAccount()).id;
    const other = await impatient.deliver(`${receiver.url}/other-account`, { accountId });
    await eventually(() => receiver.at('/other-host').length > 0 && receiver.at('/other-account').length > 0);
    expect((await impatient.tried(other, 1)).state).toBe('delivered');
    for (const id of hanging)
      expect((await impatient.tried(id, 1)).tries[0]).toMatchObject({
        status: null,
        error: 'There was no answer within 2 s.',
      });
    await Promise.all(others.map((id) => impatient.tried(id, 1)));
  } finally {
    await impatient.close();
  }
});

it('at most 8 are under way at once for an account, and all arrive', async () => {
  const { id: accountId } = await sender.newAccount();
  const ids = await Promise.all(
    Array.from({ length: 24 }, (_, i) => sender.deliver(`${hosts[i % hosts.length]}/held`, { accountId })),
  );
  await eventually(() => held.length === 8);
  await new Promise((done) => setTimeout(done, 100));
  expect(held).toHaveLength(8);
  const releasing = setInterval(release, 5);
  await Promise.all(ids.map((id) => sender.tried(id, 1)));
  clearInterval(releasing);
  expect(new Set(receiver.at('/held').map(({ id }) => id)).size).toBe(24);
});

it('what is due first is sent first', async () => {
  const ids: string[] = [];
  const { id: accountId } = await sender.newAccount();
  const at = sender.now() + 1e6;
  for (let i = 0; i < 20; i++) ids.push(await sender.deliver(`${receiver.url}/order`, { at: at + i, accountId }));
  sender.ahead += 1e6 + 1000;
  sender.sender.wake();
  await Promise.all(ids.map((id) => sender.tried(id, 1)));
  const places = receiver.at('/order').map(({ id }) => ids.indexOf(id));
  // At most 7 go at once: whoever arrives has overtaken at most the other 6.
  expect(Math.max(...places.map((place, index) => place - index))).toBeLessThanOrEqual(6);
});

it('a stop gives back what has no answer yet, for the next sender', async () => {
  const stopping = await openSender();
  try {
    const id = await stopping.deliver(`${receiver.url}/stopped`);
    await eventually(() => receiver.at('/stopped').length === 1);
    await stopping.sender.stop();
    const left = await stopping.find(id);
    expect(left).toMatchObject({ state: 'pending', isSending: false, attempts: 0, tries: [] });
    const next = await stopping.another();
    await eventually(() => receiver.at('/stopped').length === 2);
    await next.close();
    expect(receiver.at('/stopped').map((request) => request.id)).toEqual([id, id]);
  } finally {
    await stopping.close();
  }
});

it('an account that is disabled or gone gets nothing', async () => {
  const account = await sender.newAccount();
  await sender.store.accounts.setDisabled(account.id, true);
  const id = await sender.deliver(`${receiver.url}/disabled`, { accountId: account.id });
  expect(await sender.tried(id, 1)).toMatchObject({ state: 'failed', tries: [{ error: 'The account is disabled.' }] });
  const orphan = await sender.deliver(`${receiver.url}/disabled`, { accountId: 'acc_gone' });
  await sender.tried(orphan, 1);
  expect(receiver.at('/disabled')).toEqual([]);
});

describe('rotation', () => {
  it('signs with both secrets for 24 hours, then with the new one only', async () => {
    const { id: accountId } = await sender.newAccount();
    const first = await sender.secrets.of(accountId);
    const second = await sender.secrets.rotate(accountId);
    expect(second.secret).not.toBe(first.secret);
    const sent = async () => {
      const id = await sender.deliver(`${receiver.url}/rotation`, { accountId });
      await sender.tried(id, 1);
      const request = receiver.received.find((each) => each.id === id);
      if (!request) throw new Error('nothing arrived');
      // The verifier of the package uses the clock of this machine.
      vi.spyOn(Date, 'now').mockReturnValue(Number(request.headers['webhook-timestamp']) * 1000);
      const passes = (secret: string) => {
        try {
          return verify(secret, request) !== undefined;
        } catch {
          return false;
        }
      };
      const result = { first: passes(first.secret), second: passes(second.secret) };
      vi.restoreAllMocks();
      return result;
    };
    expect(await sent()).toEqual({ first: true, second: true });
    sender.ahead += 24 * hour + 1000;
    expect(await sent()).toEqual({ first: false, second: true });
  });

  it('is encrypted in the database, and bound to its account', async () => {
    const [one, two] = [await sender.newAccount(), await sender.newAccount()];
    const { secret } = await sender.secrets.of(one.id);
    await sender.secrets.of(two.id);
    const rows = await sender.store.db.selectFrom('webhook_secrets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 40));
    const sealed = rows.find((row) => row.account_id === one.id)?.secret ?? '';
    await sender.store.db
      .updateTable('webhook_secrets')
      .set({ secret: sealed })
      .where('account_id', '=', two.id)
      .execute();
    expect((await sender.secrets.of(two.id)).secret).not.toBe(secret);
  });
});
