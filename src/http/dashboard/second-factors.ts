// Two-factor sign-in and passkeys: the second step of a sign-in, and the settings of the account.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { keyName } from '../../access/keys.ts';
import type { PasskeyOptions } from '../../access/passkeys.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/is-object.ts';
import { fieldsOf, readText } from './body.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { type Guard, setCookies, visitorOf } from './guard.ts';
import { registerOn } from './route.ts';

const maxText = 2000;

export function registerSecondFactors(app: FastifyInstance, { signIn }: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { secondFactor, passkeys } = signIn;
  const done = (reply: FastifyReply) => reply.code(204).send();

  route('POST /api/sign-in/code', async (request, reply) => {
    const code = readText(fieldsOf(request), 'code', maxText);
    setCookies(reply, await signIn.signInWithCode(code, visitorOf(request)));
    return done(reply);
  });

  route('POST /api/account/two-factor', async (request, reply) => {
    await guard.account(request, reply);
    return secondFactor.begin(readText(fieldsOf(request), 'password', maxText), visitorOf(request));
  });

  route('POST /api/account/two-factor/confirm', async (request, reply) => {
    await guard.account(request, reply);
    const code = readText(fieldsOf(request), 'code', maxText);
    setCookies(reply, await secondFactor.confirm(code, visitorOf(request)));
    return done(reply);
  });

  route('DELETE /api/account/two-factor', async (request, reply) => {
    await guard.account(request, reply);
    await secondFactor.remove(readText(fieldsOf(request), 'password', maxText), visitorOf(request));
    return done(reply);
  });

  function allowed(): void {
    if (!signIn.passkeysWork)
      throw new Problem('not_found', { message: 'Passkeys need https and a host name (see BASE_URL).' });
  }

  const options = (reply: FastifyReply, made: PasskeyOptions) => {
    setCookies(reply, made.cookies);
    return { options: made.options };
  };

  route('POST /api/sign-in/passkey/options', async (request, reply) => {
    allowed();
    return options(reply, await passkeys.signInOptions(visitorOf(request)));
  });

  route('POST /api/sign-in/passkey', async (request, reply) => {
    allowed();
    const answer = readAnswer(fieldsOf(request).answer);
    setCookies(reply, await signIn.signInWithPasskey(answer, visitorOf(request)));
    return done(reply);
  });

  route('GET /api/account/passkeys', async (request, reply) => {
    await guard.account(request, reply);
    return { passkeys: signIn.passkeysWork ? await passkeys.list(visitorOf(request)) : [] };
  });

  route('POST /api/account/passkeys/options', async (request, reply) => {
    await guard.account(request, reply);
    allowed();
    return options(reply, await passkeys.registrationOptions(visitorOf(request)));
  });

  route('POST /api/account/passkeys', async (request, reply) => {
    await guard.account(request, reply);
    allowed();
    const fields = fieldsOf(request);
    const name = keyName(readText(fields, 'name', maxText));
    await passkeys.register(readAnswer(fields.answer), name, visitorOf(request));
    return done(reply);
  });

  route('DELETE /api/account/passkeys/:id', async (request, reply) => {
    await guard.account(request, reply);
    allowed();
    await passkeys.remove(request.params.id, visitorOf(request));
    return done(reply);
  });
}

/** The browser's answer; better-auth checks what is in it. */
function readAnswer(value: unknown): object {
  if (!isObject(value) || typeof value.id !== 'string')
    throw invalidParameter('answer', 'answer must be the object that the browser made.');
  return value;
}
