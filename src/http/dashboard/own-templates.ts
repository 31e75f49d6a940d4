// The account's own templates: the list, the editor's text and versions, and the card that it shows while somebody types.
import type { FastifyInstance } from 'fastify';
import type { Canvas } from '../../cards/card-types.ts';
import { cardTimeoutMs } from '../../cards/cards.ts';
import { templateName } from '../../cards/template-name.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { checkOgPlan } from '../../render/validate-card.ts';
import { mostTemplates, type OwnTemplates } from '../../templates/own-templates.ts';
import { readingBodies, readJson } from '../body-reader.ts';
import { draftIn, saveMs, versionIn, within } from '../template-requests.ts';
import { queryOf } from './body.ts';
import type { OwnTemplateDetailsView, OwnTemplatesView, SavedTemplateView, TemplateVariablesView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { fileView, registerTemplateFiles } from './own-template-files.ts';
import { registerOn } from './route.ts';
import { registerStarters } from './starters.ts';
import { type EnterEditor, pictureCanvas, variableViews } from './template-requests.ts';

/** The editor's cards are shown on a screen. */
const largestSide = 2048;
const picturesKept = 32 * 1024 * 1024;

export function registerOwnTemplates(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const enter: EnterEditor = async (request, reply) => {
    const account = await guard.account(request, reply);
    checkOgPlan(account.plan);
    return account;
  };
  readingBodies(app, (scope) => {
    registerVersions(scope, dependencies, enter);
    registerDrafts(scope, dependencies, enter);
    registerStarters(scope, dependencies, enter);
    registerTemplateFiles(scope, dependencies, enter);
  });
}

function registerVersions(app: FastifyInstance, { ownTemplates }: DashboardDependencies, enter: EnterEditor): void {
  const route = registerOn(app);
  const pictures = new BoundedMap<string, Buffer>(picturesKept, ({ length }) => length);

  route('GET /api/own-templates', async (request, reply): Promise<OwnTemplatesView> => {
    const { id } = await enter(request, reply);
    const templates = await ownTemplates.list(id);
    return {
      limit: mostTemplates,
      templates: templates.map(({ name, latest, published, updatedAt, about }) => ({
        name,
        description: about.description,
        latest,
        published,
        updatedAt,
        picture: latest === 0 ? null : `/api/own-templates/${name}/picture?v=${published || latest}`,
      })),
    };
  });

  route('GET /api/own-templates/:name', async (request, reply) => {
    const { id } = await enter(request, reply);
    const version = queryOf(request).get('version');
    return detailsOf(ownTemplates, id, request.params.name, version === null ? undefined : versionIn(version));
  });

  route('GET /api/own-templates/:name/versions', async (request, reply) => {
    const { id } = await enter(request, reply);
    return { versions: await ownTemplates.versions(id, request.params.name) };
  });

  route('PUT /api/own-templates/:name', async (request, reply): Promise<SavedTemplateView> => {
    const { id } = await enter(request, reply);
    const { name } = request.params;
    const body = await readJson(request, reply, id);
    const version = await within(reply, saveMs, (deadline) =>
      ownTemplates.save(id, name, draftIn(body), body.publish === true, deadline),
    );
    const { published } = await ownTemplates.open(id, name);
    return { version, published };
  });

  route('POST /api/own-templates/:name/publish', async (request, reply) => {
    const { id } = await enter(request, reply);
    const { version } = await readJson(request, reply, id);
    await ownTemplates.publish(id, request.params.name, versionIn(String(version)));
    return reply.code(204).send();
  });

  route('DELETE /api/own-templates/:name', async (request, reply) => {
    const { id } = await enter(request, reply);
    await ownTemplates.remove(id, request.params.name);
    return reply.code(204).send();
  });

  route('GET /api/own-templates/:name/picture', async (request, reply) => {
    const { id } = await enter(request, reply);
    const { key, paint } = await ownTemplates.example(id, request.params.name, pictureCanvas);
    const known = pictures.get(key);
    const bytes = known ?? (await within(reply, cardTimeoutMs, paint)).bytes;
    if (known === undefined) pictures.set(key, bytes);
    return reply.type('image/webp').header('cache-control', 'private, max-age=86400').send(bytes);
  });
}

function registerDrafts(app: FastifyInstance, { ownTemplates }: DashboardDependencies, enter: EnterEditor): void {
  const route = registerOn(app);

  route('POST /api/template-preview', async (request, reply) => {
    const { id } = await enter(request, reply);
    const body = await readJson(request, reply, id);
    const { name, values = {}, width, height } = body;
    const canvas: Canvas = { width: sideIn('width', width), height: sideIn('height', height), ...png };
    const files = typeof name === 'string' && templateName.test(name) ? name : undefined;
    const card = await within(reply, cardTimeoutMs, (deadline) =>
      ownTemplates.preview(id, files, draftIn(body), textsIn(values), canvas, deadline),
    );
    return reply.type(card.type).header('cache-control', 'private, no-store').send(card.bytes);
  });

  route('POST /api/template-variables', async (request, reply): Promise<TemplateVariablesView> => {
    const { id } = await enter(request, reply);
    const body = await readJson(request, reply, id);
    const about = await within(reply, cardTimeoutMs, (deadline) => ownTemplates.read(id, draftIn(body), deadline));
    return { variables: variableViews(about), example: about.example };
  });
}

const png = { format: 'png', quality: 80 } as const;

async function detailsOf(
  ownTemplates: OwnTemplates,
  accountId: string,
  name: string,
  version?: number,
): Promise<OwnTemplateDetailsView> {
  const template = await ownTemplates.open(accountId, name, version);
  const files = await ownTemplates.files(accountId, name);
  return {
    name: template.name,
    description: template.about.description,
    latest: template.latest,
    published: template.published,
    version: template.version,
    html: template.source,
    variables: variableViews(template.about),
    example: template.about.example,
    files: files.map((file) => fileView(template.name, file)),
  };
}

function sideIn(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 100 || value > largestSide)
    throw invalidParameter(name, `${name} must be a whole number from 100 to ${largestSide}.`);
  return value;
}

function textsIn(values: unknown): Readonly<Record<string, string>> {
  if (typeof values !== 'object' || values === null || !Object.values(values).every((each) => typeof each === 'string'))
    throw invalidParameter('values', 'values must be an object of texts.');
  return values as Record<string, string>;
}
