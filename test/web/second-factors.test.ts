// Two-factor sign-in, passkeys and lost passwords, in a real browser on localhost: browsers allow passkeys there.
import { createServer, type Server, type Socket } from 'node:net';
import { generate } from 'lean-qr';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sleep } from '../../src/kernel/deadline.ts';
import { codeOf } from '../harness/authenticator.ts';
import { freePort } from '../harness/ports.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let base: string;
let smtp: SMTPServer;
let smtpPort: number;
const mails: string[] = [];

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  smtpPort = await freePort();
  await new Promise<void>((done) => smtp.listen(smtpPort, '127.0.0.1', () => done()));
  const port = await freePort();
  base = `http://localhost:${port}`;
  harness = await openWebHarness({ PORT: String(port), BASE_URL: base, SMTP_URL: `smtp://127.0.0.1:${smtpPort}` });
});
afterAll(async () => {
  await harness?.close();
  await new Promise<void>((done) => smtp.close(() => done()));
});

const ask = ({ context }: Visitor, method: string, path: string, body?: unknown) =>
  harness.call(context, method, base + path, body);

/** A browser with a new account, signed in. */
async function person(email: string): Promise<Visitor> {
  const visitor = await harness.visitor();
  const made = await ask(visitor, 'POST', '/api/sign-up', { name: '', email, password });
  expect(made.status).toBe(204);
  return visitor;
}

async function signIn(visitor: Visitor, email: string, word = password): Promise<void> {
  await visitor.page.goto(`${base}/sign-in`);
  await visitor.page.getByLabel('E-mail').fill(email);
  await visitor.page.getByLabel('Password').fill(word);
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The squares of a QR code, row by row: is each dark? */
function squaresOf(text: string): boolean[] {
  const { size, get } = generate(text);
  return Array.from({ length: size ** 2 }, (_, i) => get(i % size, Math.floor(i / size)));
}

/** The same, as a camera sees them. */
async function squaresSeen(picture: Locator, count: number): Promise<boolean[]> {
  const { data, info } = await sharp(await picture.screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const size = Math.sqrt(count);
  // Around it are four blank squares, which readers need, and a line of a pixel.
  const at = (square: number) => Math.floor(1 + ((square + 4.5) * (info.width - 2)) / (size + 8));
  return Array.from(
    { length: count },
    (_, i) => (data[(at(Math.floor(i / size)) * info.width + at(i % size)) * info.channels] ?? 255) < 128,
  );
}

describe('two-factor sign-in', () => {
  let visitor: Visitor;
  let backup: string;
  let secret: string;

  test('is turned on with a code of the app', async () => {
    visitor = await person('codes@example.com');
    const { page } = visitor;
    await page.goto(`${base}/settings`);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByLabel('Your password').fill('not the password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const link = await page.getByRole('link', { name: 'open it in an app' }).getAttribute('href');
    secret = new URL(link ?? '').searchParams.get('secret') ?? '';
    await page.emulateMedia({ colorScheme: 'dark' });
    const squares = squaresOf(link ?? '');
    const qrCode = page.getByRole('img', { name: 'QR code of the key' });
    expect(await squaresSeen(qrCode, squares.length)).toEqual(squares);
    backup = ((await page.locator('dialog pre').textContent()) ?? '').split('\n')[0] ?? '';
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('The code is wrong or out of date.').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('A code is asked for after your password.').waitFor();
  });

  test('then needs the password and a code, each of which signs in once', async () => {
    const other = await harness.visitor();
    await signIn(other, 'codes@example.com');
    await other.page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    expect((await ask(other, 'GET', '/api/keys')).status).toBe(401);
    // The code of now has turned it on.
    const next = codeOf(secret, Date.now() + 30_000);
    await other.page.getByRole('textbox', { name: 'Code' }).fill(`${next.slice(0, 3)} ${next.slice(3)}`);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'API Keys' }).waitFor();

    const signInWith = async (code: string) => {
      await other.context.clearCookies();
      const wish = { email: 'codes@example.com', password };
      expect((await ask(other, 'POST', '/api/sign-in', wish)).body).toEqual({ needsCode: true });
      return (await ask(other, 'POST', '/api/sign-in/code', { code })).status;
    };
    expect(await signInWith(next)).toBe(403);
    expect((await ask(other, 'GET', '/api/keys')).status).toBe(401);
    expect(await signInWith(backup)).toBe(204);
    expect(await signInWith(backup)).toBe(403);
    await other.context.close();
  });

  test('ends after five wrong codes, and locks the account after ten', async () => {
    const thief = await harness.visitor();
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      await ask(thief, 'POST', '/api/sign-in', { email: 'codes@example.com', password });
      for (let i = 0; i < 5; i++)
        statuses.push((await ask(thief, 'POST', '/api/sign-in/code', { code: '111111' })).status);
    }
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
    expect((await ask(thief, 'POST', '/api/sign-in/code', { code: codeOf(secret) })).status).toBe(429);
    await thief.context.close();
  });

  test('is turned off with the password', async () => {
    expect((await ask(visitor, 'DELETE', '/api/account/two-factor', { password: 'wrong wrong wrong' })).status).toBe(
      403,
    );
    expect((await ask(visitor, 'DELETE', '/api/account/two-factor', { password })).status).toBe(204);
    const wish = { email: 'codes@example.com', password };
    expect((await ask(visitor, 'POST', '/api/sign-in', wish)).body).toEqual({ needsCode: false });
    await visitor.context.close();
  });
});

test('a passkey is added, signs in without a password, and is removed', async () => {
  const visitor = await person('passkey@example.com');
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${base}/settings`);
  await page.getByLabel('Name of the new passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('Passkey added').waitFor();
  await context.clearCookies();
  await page.goto(`${base}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'API Keys' }).waitFor();
  // A passkey replaces the password and the code, so it must verify its user.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await context.clearCookies();
  await page.goto(`${base}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText(/No passkey was used|was not accepted/).waitFor();
  await signIn(visitor, 'passkey@example.com');
  await page.getByRole('heading', { name: 'API Keys' }).waitFor();
  await page.goto(`${base}/settings`);
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByText('Passkey removed').waitFor();
  expect((await ask(visitor, 'POST', '/api/sign-in/passkey', { answer: { id: 'x' } })).status).toBe(403);
  await context.close();
});

test('an invitation with an address is also sent by mail', async () => {
  const admin = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await ask(admin, 'POST', '/api/setup', { token, name: '', email: 'admin@example.com', password });
  const wish = { email: 'guest@example.com', plan: 'pro', admin: false, days: 3 };
  expect((await ask(admin, 'POST', '/api/admin/invitations', wish)).body).toMatchObject({ sent: true });
  await expect.poll(() => mails.length).toBe(1);
  expect(mails.pop()).toMatch(/To: guest@example\.com[\s\S]*within 3 days[\s\S]*\/invitation\?token=/);
  await admin.context.close();
});

describe('a lost password', () => {
  const lost = (visitor: Visitor, email: string) => ask(visitor, 'POST', '/api/password/lost', { email });

  test('is replaced through a link by mail, which works once and ends all sessions', async () => {
    const owner = await person('lost@example.com');
    const visitor = await harness.visitor();
    const { page } = visitor;
    await page.goto(`${base}/lost-password`);
    await page.getByLabel('E-mail').fill('lost@example.com');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    await expect.poll(() => mails.length).toBe(1);
    const mail = (mails[0] ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(mail).toContain('To: lost@example.com');
    const link = /http:\/\/localhost:\d+\/new-password\?token=\w+/.exec(mail)?.[0] ?? '';
    await page.goto(link);
    await page.getByLabel('Password').fill('a wholly new password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Sign in to Tintype' }).waitFor();
    expect((await ask(owner, 'GET', '/api/keys')).status).toBe(401);
    await signIn(visitor, 'lost@example.com', 'a wholly new password');
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    const token = new URL(link).searchParams.get('token');
    expect((await ask(visitor, 'POST', '/api/password/new', { token, password })).status).toBe(403);
    await Promise.all([owner.context.close(), visitor.context.close()]);
  });

  test('of nobody gets the same answer and no mail, and many requests are slowed down', async () => {
    const visitor = await harness.visitor();
    expect((await lost(visitor, 'nobody@example.com')).status).toBe(204);
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await lost(visitor, 'lost@example.com')).status);
    expect(statuses.at(-1)).toBe(429);
    expect(mails.join()).not.toContain('nobody@example.com');
    await visitor.context.close();
  });

  test('of an account that is disabled, or has none because it signs in at a provider, is not replaced', async () => {
    const { accounts } = harness.app.store;
    const disabled = await person('disabled@example.com');
    const found = await accounts.byEmail('disabled@example.com');
    await accounts.setDisabled(found?.id ?? '', true);
    await accounts.create({ email: 'provider@example.com', plan: 'free' });
    await person('last@example.com');
    mails.length = 0;
    for (const email of ['disabled@example.com', 'provider@example.com', 'last@example.com'])
      expect((await lost(disabled, email)).status).toBe(204);
    await expect.poll(() => mails.length).toBeGreaterThan(0);
    await sleep(300);
    expect(mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())).toEqual(['last@example.com']);
    await disabled.context.close();
  });

  test('is answered at once while the mail server hangs', async () => {
    const sockets: Socket[] = [];
    const silent: Server = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    await harness.restart({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const visitor = await person('hanging@example.com');
    expect((await lost(visitor, 'hanging@example.com')).status).toBe(204);
    await expect.poll(() => sockets.length).toBe(1);
    expect((await ask(visitor, 'GET', '/api/keys')).status).toBe(200);
    await visitor.context.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => silent.close(done));
  });
});
