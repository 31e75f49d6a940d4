// Webhooks go out through the guard: what is refused when a webhook is named, and when it is sent.
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress } from '../../src/egress/egress.ts';
import { checkWebhookUrl } from '../../src/webhooks/webhook-url.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { openSender, type SenderHarness, type SenderSettings } from './sender-harness.ts';

const undo: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each.close();
});
async function open(settings: SenderSettings): Promise<{ receiver: Receiver; sender: SenderHarness }> {
  const receiver = await startReceiver();
  const sender = await openSender(settings);
  undo.push(receiver, sender);
  return { receiver, sender };
}

describe('a webhook is refused when it is named', () => {
  const egress = createEgress({ allowPrivate: [] });
  it.each([
    'http://127.0.0.1/',
    'https://10.0.0.1/hook',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706433/',
    'http://localhost/',
    'https://user:password@example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://example.com:25/',
    'example.com/hook',
    '',
    42,
    null,
    ['https://example.com/'],
  ])('%j', (url) => {
    const check = () => checkWebhookUrl(url, egress);
    expect(check).toThrow(expect.objectContaining({ status: 400, code: 'invalid_parameter', parameter: 'webhook' }));
    expect(check).toThrow(/^webhook /);
  });

  it('with more than 2048 characters', () => {
    const check = () => checkWebhookUrl(`https://example.com/${'a'.repeat(2029)}`, egress);
    expect(check).toThrow('webhook must be an http or https URL of at most 2048 characters.');
  });

  it('unless it is a public http or https address of at most 2048 characters', () => {
    for (const url of ['http://example.com/', `https://example.com/${'a'.repeat(2028)}`, 'https://1.1.1.1:8443/a?b=c'])
      expect(checkWebhookUrl(url, egress)).toBe(url);
  });
});

describe('a webhook is refused when it is sent', () => {
  it('if its name leads to a private address, and nothing is dialled', async () => {
    const { receiver, sender } = await open({ allowPrivate: [], resolver: async () => ['127.0.0.1'] });
    const id = await sender.deliver(receiver.url.replace('127.0.0.1', 'rebound.example.com'));
    const { state, tries } = await sender.tried(id, 1);
    expect(state).toBe('pending');
    expect(tries[0]?.error).toBe('The address leads to rebound.example.com, whose address is not public (loopback).');
    expect(receiver.received).toEqual([]);
  });

  it('if it is a private address that was allowed when it was named', async () => {
    const { receiver, sender } = await open({ allowPrivate: [] });
    const id = await sender.deliver(receiver.url);
    expect((await sender.tried(id, 1)).tries[0]?.error).toMatch(
      /^The address leads to 127\.0\.0\.1, which is not public/,
    );
    expect(receiver.received).toEqual([]);
  });

  it('if its name does not exist, in plain words', async () => {
    const { sender } = await open({ resolver: async () => [] });
    const id = await sender.deliver('http://nowhere.example.com/');
    expect((await sender.tried(id, 1)).tries[0]?.error).toBe(
      'nowhere.example.com could not be reached: the host name was not found.',
    );
  });
});
