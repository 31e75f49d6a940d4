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
  it('returns each response to its caller, in any order', async () => {
    const { connection, asked, say } = connect();
    const first = connection.browser.send('Browser.getVersion');
    const second = connection.session('a').send('Page.getFrameTree');
    const [one, two] = asked();
    expect([one?.method, one?.sessionId, two?.sessionId]).toEqual(['Browser.getVersion', undefined, 'a']);
    say({ id: two?.id, sessionId: 'a', result: { n: 2 } }, { id: one?.id, result: { n: 1 } });
    expect(await Promise.all([first, second])).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('loses no event that arrives in one chunk with a response', async () => {
    const { connection, asked, say } = connect();
    const session = connection.session('a');
    let loads = 0;
    session.on('Page.loadEventFired', () => loads++);
    const answer = session.send('Page.navigate', { url: 'about:blank' });
    say({ id: asked()[0]?.id, result: {} }, { method: 'Page.loadEventFired', sessionId: 'a', params: {} });
    await answer;
    expect(loads).toBe(1);
  });

  it('reads messages that are split anywhere, even inside a character', async () => {
    const { connection, output, asked } = connect();
    const answer = connection.browser.send('Browser.getVersion');
    const bytes = Buffer.from(`${JSON.stringify({ id: asked()[0]?.id, result: { product: 'Größe 世界' } })}\0`);
    for (const byte of bytes) output.write(Buffer.from([byte]));
    expect(await answer).toEqual({ product: 'Größe 世界' });
  });

  it('returns a picture as bytes, of any size and however it is split', async () => {
    for (const size of [1, 2, 3, 500, 100_000])
      for (const step of [1 << 16, 997]) {
        const { connection, output, asked } = connect();
        const answer = connection.session('A').send('Page.captureScreenshot', { format: 'png' });
        const picture = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7919) % 251));
        const text = `{"id":${asked()[0]?.id},"result":{"data":"${picture.toString('base64')}"},"sessionId":"A"}\0`;
        for (let at = 0; at < text.length; at += step) output.write(text.slice(at, at + step));
        expect((await answer).data.equals(picture)).toBe(true);
      }
  });

  it('rejects a response that is too long, and only that one', async () => {
    const { connection, output, asked } = connect();
    const session = connection.session('A');
    const answer = session.send('Runtime.evaluate', { expression: '1' });
    const next = session.send('Page.enable');
    const [first, second] = asked();
    output.write(`{"id":${first?.id},"result":{"result":{"value":"`);
    for (let sent = 0; sent < 9e6; sent += 1e6) output.write('x'.repeat(1e6));
    output.write(`"}},"sessionId":"A"}\0{"id":${second?.id},"result":{},"sessionId":"A"}\0`);
    await expect(answer).rejects.toMatchObject({ name: 'AnswerTooLong' });
    await next;
  });

  it('drops a too long event without a handler, and ends only the page if the event has one', async () => {
    const { connection, output } = connect();
    const [page, other] = [connection.session('A'), connection.session('B')];
    const heard: string[] = [];
    for (const session of [page, other]) session.on('Page.frameNavigated', () => heard.push('navigated'));
    // What looks like the end of a message inside a text of the page's is none.
    const text = JSON.stringify(`","sessionId":"B"}${'x'.repeat(9e6)}","sessionId":"B"}`);
    const say = (method: string, id: string) =>
      output.write(`{"method":"${method}","params":{"args":[${text}]},"sessionId":"${id}"}\0`);
    say('Runtime.consoleAPICalled', 'A');
    await soon();
    expect(page.signal.aborted).toBe(false);
    say('Page.frameNavigated', 'A');
    await soon();
    expect(page.signal.reason).toMatchObject({ name: 'Crash', who: 'renderer', final: true });
    expect([other.signal.aborted, connection.browser.signal.aborted, heard]).toEqual([false, false, []]);
  });

  it('forgets the sessions of frames when they are detached', async () => {
    const { connection, say } = connect();
    const frame = connection.session('F');
    say({ method: 'Target.detachedFromTarget', sessionId: 'A', params: { sessionId: 'F' } });
    await soon();
    expect(frame.signal.aborted).toBe(true);
  });

  it("rejects with the browser's error", async () => {
    const { connection, asked, say } = connect();
    const answer = connection.browser.send('Browser.getVersion');
    say({ id: asked()[0]?.id, error: { message: 'no such thing' } });
    await expect(answer).rejects.toEqual(new ProtocolError('Browser.getVersion', 'no such thing'));
  });

  it('rejects all pending and later commands when it closes', async () => {
    const { connection, output } = connect();
    const session = connection.session('a');
    const all = [connection.browser.send('Browser.getVersion'), session.send('Page.enable')];
    output.destroy();
    for (const answer of all) await expect(answer).rejects.toMatchObject({ name: 'Crash', who: 'browser' });
    await expect(session.send('Page.enable')).rejects.toBeInstanceOf(Crash);
  });

  it('rejects only the commands of a page that crashed or was closed', async () => {
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
