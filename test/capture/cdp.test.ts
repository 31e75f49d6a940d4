import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Connection, ProtocolError } from '../../src/capture/cdp.ts';
import { Crash, SessionClosed } from '../../src/capture/crash.ts';

/** A connection with the browser's side of the pipe in our hands. */
function connect() {
  const input = new PassThrough();
  const output = new PassThrough();
  const connection = new Connection(input, output);
  const asked = () =>
    String(input.read() ?? '')
      .split('\0')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as { id: number; method: string; sessionId?: string });
  const say = (...messages: object[]) =>
    output.write(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));
  return { connection, output, asked, say };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('the pipe', () => {
  it('gives every answer to who asked, in whatever order they come', async () => {
    const { connection, asked, say } = connect();
    const first = connection.browser.send('Browser.getVersion');
    const second = connection.session('a').send('Page.getFrameTree');
    const [one, two] = asked();
    expect([one?.method, one?.sessionId, two?.sessionId]).toEqual(['Browser.getVersion', undefined, 'a']);
    say({ id: two?.id, sessionId: 'a', result: { n: 2 } }, { id: one?.id, result: { n: 1 } });
    expect(await Promise.all([first, second])).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('loses no event that comes in one piece with an answer', async () => {
    const { connection, asked, say } = connect();
    const session = connection.session('a');
    let loads = 0;
    session.on('Page.loadEventFired', () => loads++);
    const answer = session.send('Page.navigate', { url: 'about:blank' });
    say({ id: asked()[0]?.id, result: {} }, { method: 'Page.loadEventFired', sessionId: 'a', params: {} });
    await answer;
    expect(loads).toBe(1);
  });

  it('reads messages that are cut anywhere, in the middle of a character too', async () => {
    const { connection, output, asked } = connect();
    const answer = connection.browser.send('Browser.getVersion');
    const bytes = Buffer.from(`${JSON.stringify({ id: asked()[0]?.id, result: { product: 'Größe 世界' } })}\0`);
    for (const byte of bytes) output.write(Buffer.from([byte]));
    expect(await answer).toEqual({ product: 'Größe 世界' });
  });

  it('tells what the browser refused', async () => {
    const { connection, asked, say } = connect();
    const answer = connection.browser.send('Browser.getVersion');
    say({ id: asked()[0]?.id, error: { message: 'no such thing' } });
    await expect(answer).rejects.toEqual(new ProtocolError('Browser.getVersion', 'no such thing'));
  });

  it('rejects everything at once when it closes, and whatever is asked later', async () => {
    const { connection, output } = connect();
    const session = connection.session('a');
    const all = [connection.browser.send('Browser.getVersion'), session.send('Page.enable')];
    output.destroy();
    for (const answer of all) await expect(answer).rejects.toMatchObject({ name: 'Crash', who: 'browser' });
    await expect(session.send('Page.enable')).rejects.toBeInstanceOf(Crash);
  });

  it('rejects what was asked of a page that crashed or was closed, and nothing else', async () => {
    const { connection, asked, say } = connect();
    const attached = connection.attach('target');
    say({ id: asked()[0]?.id, result: { sessionId: 'a' } });
    const crashing = await attached;
    const closing = connection.session('b');
    const other = connection.session('c').send('Page.enable');
    const [crashed, closed] = [crashing.send('Page.enable'), closing.send('Page.enable')];
    say({ method: 'Inspector.targetCrashed', sessionId: 'a', params: {} });
    closing.end();
    await expect(crashed).rejects.toMatchObject({ name: 'Crash', who: 'renderer' });
    await expect(closed).rejects.toBeInstanceOf(SessionClosed);
    const answered = other.then(
      () => 'answered',
      () => 'rejected',
    );
    expect(await Promise.race([answered, soon().then(() => 'waiting')])).toBe('waiting');
  });
});
