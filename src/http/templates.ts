// /v1/templates: an account's own templates, for people who keep them in git. 401 → 403 (plan) → the body → 400, 404, 409.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mostFontBytes } from '../cards/checked-file.ts';
import { toFile } from '../cards/template-document.ts';
import { Problem } from '../kernel/errors.ts';
import { checkOgPlan } from '../render/validate-card.ts';
import { type OwnTemplates, ownPrefix } from '../templates/own-templates.ts';
import { readBytes, readJson } from './body-reader.ts';
import { type Caller, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { draftIn, saveMs, versionIn, within } from './template-requests.ts';

type WithName = { Params: { name: string } };
type WithFile = { Params: { name: string; file: string } };
type WithVersion = { Params: { name: string; version: string } };

export function registerTemplates(app: FastifyInstance, dependencies: HttpDependencies): void {
  const { ownTemplates } = dependencies;
  const enter = async (request: FastifyRequest): Promise<Caller> => {
    const caller = await identify(request, dependencies);
    checkOgPlan(caller.account.plan);
    const { allowedHosts, allowedTemplates } = caller.key;
    // Who may only use a template must not be able to change it.
    if (allowedHosts || allowedTemplates)
      throw new Problem('forbidden', {
        message: 'A key that is limited to hosts or templates cannot read or change templates.',
      });
    return caller;
  };

  app.get('/v1/templates', async (request) => {
    const { account } = await enter(request);
    const templates = await ownTemplates.list(account.id);
    return { templates: templates.map(summaryOf) };
  });

  app.get<WithName>('/v1/templates/:name', async (request) => {
    const { account } = await enter(request);
    return templateView(ownTemplates, account.id, request.params.name);
  });

  app.get<WithVersion>('/v1/templates/:name/versions/:version', async (request) => {
    const { account } = await enter(request);
    const { name, version } = request.params;
    return templateView(ownTemplates, account.id, name, versionIn(version));
  });

  app.put<WithName>('/v1/templates/:name', async (request, reply) => {
    const { account } = await enter(request);
    const body = await readJson(request, reply, account.id);
    const version = await within(undefined, saveMs, (deadline) =>
      ownTemplates.save(account.id, request.params.name, draftIn(body), body.publish !== false, deadline),
    );
    const { name, published } = await ownTemplates.open(account.id, request.params.name);
    return { name: ownPrefix + name, version, published };
  });

  app.post<WithVersion>('/v1/templates/:name/versions/:version/publish', async (request, reply) => {
    const { account } = await enter(request);
    const { name, version } = request.params;
    await ownTemplates.publish(account.id, name, versionIn(version));
    return reply.code(204).send();
  });

  app.delete<WithName>('/v1/templates/:name', async (request, reply) => {
    const { account } = await enter(request);
    await ownTemplates.remove(account.id, request.params.name);
    return reply.code(204).send();
  });

  app.put<WithFile>('/v1/templates/:name/files/:file', async (request, reply) => {
    const { account } = await enter(request);
    const { name, file } = request.params;
    const bytes = await readBytes(request, reply, account.id, mostFontBytes);
    return within(undefined, saveMs, (deadline) => ownTemplates.putFile(account.id, name, file, bytes, deadline));
  });

  app.get<WithFile>('/v1/templates/:name/files/:file', async (request, reply) => {
    const { account } = await enter(request);
    const { name, file } = request.params;
    const found = (await ownTemplates.files(account.id, name)).find((each) => each.name === file);
    if (!found) throw new Problem('not_found', { message: `${ownPrefix}${name} has no file ${file}.` });
    const bytes = await ownTemplates.readFile(found.hash);
    return reply.type('application/octet-stream').header('cache-control', 'private, no-store').send(bytes);
  });

  app.delete<WithFile>('/v1/templates/:name/files/:file', async (request, reply) => {
    const { account } = await enter(request);
    await ownTemplates.removeFile(account.id, request.params.name, request.params.file);
    return reply.code(204).send();
  });
}

type Summary = Awaited<ReturnType<OwnTemplates['list']>>[number];

const summaryOf = ({ name, latest, published, updatedAt, about }: Summary) => ({
  name: ownPrefix + name,
  latest,
  published,
  updatedAt: new Date(updatedAt).toISOString(),
  ...about,
});

async function templateView(ownTemplates: OwnTemplates, accountId: string, name: string, version?: number) {
  const template = await ownTemplates.open(accountId, name, version);
  const files = await ownTemplates.files(accountId, name);
  return {
    ...summaryOf(template),
    version: template.version,
    html: template.source,
    /** As it is kept in git. */
    file: toFile(template.about, template.source),
    files: files.map(({ name: file, kind, size, hash }) => ({ name: file, kind, size, hash })),
  };
}
