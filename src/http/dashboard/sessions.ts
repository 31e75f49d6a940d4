// Sessions and accounts: set-up, sign-up, sign-in, sign-out, and changes of the account itself.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { checkEmail, checkName } from '../../access/accounts.ts';
import { authPath } from '../../access/auth.ts';
import { checkPassword } from '../../access/passwords.ts';
import type { Redirect } from '../../access/providers.ts';
import { screenshotParameters } from '../../capture/parameters.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import type { Table } from '../../kernel/parameters.ts';
import { ogPlan, type PlanName, planNames } from '../../kernel/plans.ts';
import { rawQueryOf } from '../request-context.ts';
import { checkAll, fieldsOf, readText } from './body.ts';
import type { AccountView, SessionView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { type Guard, setCookies, visitorOf } from './guard.ts';
import { registerOn, type Unchecked } from './route.ts';
import type { NewAccountBody } from './routes.ts';

// Longer than any valid value, so that the rule of the field itself gives the error.
const maxText = 2000;

const gates: Readonly<Record<string, PlanName>> = {
  ...Object.fromEntries(
    Object.entries(screenshotParameters as Table).flatMap(([name, { plan }]) => (plan ? [[name, plan]] : [])),
  ),
  og: ogPlan,
};

export function registerSessions(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { signIn, store, plans, baseUrl, version, cache } = dependencies;
  const done = (reply: FastifyReply) => reply.code(204).send();

  route('GET /api/session', async (request, reply): Promise<SessionView> => {
    const session = await signIn.sessionFrom(visitorOf(request));
    if (session) setCookies(reply, session.cookies);
    return {
      account: session ? await accountView(session.account) : null,
      setupOpen: !(await store.accounts.adminExists()),
      signUp: signIn.signUpOpen ? 'open' : 'closed',
      providers: signIn.providers.names,
      oidcName: signIn.providers.oidcName,
      passkeys: signIn.passkeysWork,
      lostPassword: { byMail: signIn.passwordReset.byMail, contact: signIn.contact },
      defaultPlan: signIn.planOfNewAccounts,
      plans: planNames.map((name) => ({ name, ...plans[name] })),
      gates,
      baseUrl: baseUrl(),
      version,
    };
  });

  async function accountView(account: Omit<AccountView, 'hasPassword'>) {
    const { id, email, name, plan, admin, createdAt, twoFactor } = account;
    const hasPassword = (await store.signIn.passwordHash(id)) !== undefined;
    return { id, email, name, plan, admin, createdAt, twoFactor, hasPassword };
  }

  route('POST /api/sign-up', async (request, reply) => {
    const { cookies } = await signIn.signUp(newAccount(fieldsOf(request)), visitorOf(request));
    setCookies(reply, cookies);
    return done(reply);
  });

  route('POST /api/sign-in', async (request, reply) => {
    const fields = fieldsOf(request);
    const given = { email: readText(fields, 'email', maxText), password: readText(fields, 'password', maxText) };
    const { cookies, needsCode = false } = await signIn.signIn(given, visitorOf(request));
    setCookies(reply, cookies);
    return { needsCode };
  });

  route('POST /api/invitation/check', async (request) => {
    const found = await signIn.invitations.find(readText(fieldsOf(request), 'token', maxText), request.ip);
    return { open: found !== undefined, email: found?.email ?? null };
  });

  route('POST /api/invitation', async (request, reply) => {
    const fields = fieldsOf(request);
    const wish = { token: readText(fields, 'token', maxText), ...newAccount(fields) };
    setCookies(reply, (await signIn.acceptInvitation(wish, visitorOf(request))).cookies);
    return done(reply);
  });

  route('POST /api/password/lost', async (request, reply) => {
    await signIn.passwordReset.request(readText(fieldsOf(request), 'email', maxText), request.ip);
    return done(reply);
  });

  route('POST /api/password/new', async (request, reply) => {
    const fields = fieldsOf(request);
    const wish = { token: readText(fields, 'token', maxText), password: readText(fields, 'password', maxText) };
    await signIn.passwordReset.complete(wish, request.ip);
    return done(reply);
  });

  route('POST /api/sign-out', async (request, reply) => {
    setCookies(reply, await signIn.signOut(visitorOf(request)));
    return done(reply);
  });

  route('POST /api/sign-out-everywhere', async (request, reply) => {
    setCookies(reply, await signIn.signOutEverywhere(visitorOf(request)));
    return done(reply);
  });

  route('POST /api/sign-in/:provider', async (request, reply) => {
    const next = readText(fieldsOf(request), 'next', maxText);
    const { location, cookies } = await signIn.providers.start(request.params.provider, visitorOf(request), next);
    setCookies(reply, cookies);
    return { url: location };
  });

  app.get<{ Params: { provider: string } }>(`${authPath}/callback/:provider`, async (request, reply) =>
    redirect(reply, await signIn.providers.finish(request.params.provider, rawQueryOf(request), visitorOf(request))),
  );

  route('POST /api/setup/check', async (request) => ({
    open: await signIn.isSetupToken(readText(fieldsOf(request), 'token', maxText)),
  }));

  route('POST /api/setup', async (request, reply) => {
    const fields = fieldsOf(request);
    const wish = { token: readText(fields, 'token', maxText), ...newAccount(fields) };
    setCookies(reply, (await signIn.consumeSetupToken(wish, visitorOf(request))).cookies);
    return done(reply);
  });

  route('PATCH /api/account', async (request, reply) => {
    const account = await guard.account(request, reply);
    const name = checkName(readText(fieldsOf(request), 'name', maxText));
    await store.accounts.setName(account.id, name ?? '');
    return done(reply);
  });

  route('POST /api/account/password', async (request, reply) => {
    const fields = fieldsOf(request);
    const change = { current: readText(fields, 'current', maxText), password: readText(fields, 'password', maxText) };
    setCookies(reply, (await signIn.changePassword(change, visitorOf(request))).cookies);
    return done(reply);
  });

  route('DELETE /api/account', async (request, reply) => {
    const account = await guard.account(request, reply);
    const fields = fieldsOf(request);
    if (readText(fields, 'email', maxText).trim().toLowerCase() !== account.email)
      throw invalidParameter('email', `email must be ${account.email}, to show that this account is meant.`);
    const cookies = await signIn.deleteAccount(
      { password: readText(fields, 'password', maxText) },
      visitorOf(request),
      () => cache.purge(account.id),
    );
    setCookies(reply, cookies);
    return done(reply);
  });
}

const newAccount = (fields: Unchecked<NewAccountBody>) =>
  checkAll({
    name: () => checkName(readText(fields, 'name', maxText)) ?? '',
    email: () => checkEmail(readText(fields, 'email', maxText)),
    password: () => allowedPassword(readText(fields, 'password', maxText)),
  });

function allowedPassword(password: string): string {
  checkPassword(password);
  return password;
}

function redirect(reply: FastifyReply, { location, cookies }: Redirect): FastifyReply {
  setCookies(reply, cookies);
  return reply.redirect(location);
}
