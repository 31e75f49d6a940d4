// The files of an account's own template: uploaded images and fonts, and the whole template as one file.
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { cardTimeoutMs } from '../../cards/cards.ts';
import { mostFontBytes } from '../../cards/checked-file.ts';
import { fromFile, toFile } from '../../cards/template-document.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import type { StoredFile } from '../../store/own-templates.ts';
import { readBytes } from '../body-reader.ts';
import { sandboxed } from '../reply.ts';
import { versionIn, within } from '../template-requests.ts';
import { queryOf } from './body.ts';
import type { SavedTemplateView, TemplateFileView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { createFileThumbnails } from './file-thumbnails.ts';
import { registerOn } from './route.ts';
import type { EnterEditor } from './template-requests.ts';

/** To check every file of an imported template, and to paint it. */
const importMs = 40_000;
/** Parsing more of it would hold up other requests. The files in it are a third larger than they are. */
const mostFileText = 12 * 1024 * 1024;

export function registerTemplateFiles(
  app: FastifyInstance,
  { ownTemplates }: DashboardDependencies,
  enter: EnterEditor,
): void {
  const route = registerOn(app);
  const thumbnailOf = createFileThumbnails();

  route('PUT /api/own-templates/:name/files/:file', async (request, reply): Promise<TemplateFileView> => {
    const { id } = await enter(request, reply);
    const { name, file } = request.params;
    const bytes = await readBytes(request, reply, id, mostFontBytes);
    const stored = await within(reply, importMs, (deadline) => ownTemplates.putFile(id, name, file, bytes, deadline));
    return fileView(name, stored);
  });

  route('DELETE /api/own-templates/:name/files/:file', async (request, reply) => {
    const { id } = await enter(request, reply);
    await ownTemplates.removeFile(id, request.params.name, request.params.file);
    return reply.code(204).send();
  });

  route('GET /api/own-templates/:name/files/:file/thumbnail', async (request, reply) => {
    const { id } = await enter(request, reply);
    const { name, file } = request.params;
    const found = (await ownTemplates.files(id, name)).find((each) => each.name === file && each.kind === 'image');
    if (found === undefined) throw new Problem('not_found', { message: 'There is no such image.' });
    const read = () => ownTemplates.readFile(found.hash);
    const picture = await within(reply, cardTimeoutMs, (deadline) => thumbnailOf(id, found.hash, read, deadline));
    return reply
      .headers({ ...sandboxed, 'cross-origin-resource-policy': 'same-origin' })
      .header('cache-control', 'private, max-age=86400')
      .type('image/webp')
      .send(picture);
  });

  route('GET /api/own-templates/:name/export', async (request, reply) => {
    const { id } = await enter(request, reply);
    const version = queryOf(request).get('version');
    const template = await ownTemplates.open(
      id,
      request.params.name,
      version === null ? undefined : versionIn(version),
    );
    if (template.version === 0) throw new Problem('not_found', { message: 'This template has no version yet.' });
    const files = new Map<string, Buffer>();
    let size = 0;
    for (const { name, hash } of template.files) {
      const bytes = await ownTemplates.readFile(hash);
      size += bytes.length;
      files.set(name, bytes);
    }
    if ((size * 4) / 3 > mostFileText * 0.95)
      throw new Problem('conflict', {
        message: `The uploaded files have more than ${Math.floor((mostFileText * 3) / 4 / 1e6)} MB, which is too much for one file. GET /v1/templates/${template.name} has the template, and its files one by one.`,
      });
    return reply
      .type('text/html; charset=utf-8')
      .headers({ ...sandboxed, 'cross-origin-resource-policy': 'same-origin' })
      .header('content-disposition', `attachment; filename="${template.name}.html"`)
      .send(toFile(template.about, template.source, files));
  });

  route('PUT /api/own-templates/:name/import', async (request, reply): Promise<SavedTemplateView> => {
    const { id } = await enter(request, reply);
    const { name } = request.params;
    const bytes = await readBytes(request, reply, id, mostFileText);
    const text = bytes.toString('utf8');
    if (text.trim() === '') throw invalidParameter('html', 'The file is empty.');
    // Each step has a turn of the event loop to itself.
    await setImmediate();
    const { source, ...said } = fromFile(text);
    await setImmediate();
    const version = await within(reply, importMs, (deadline) =>
      ownTemplates.save(id, name, { html: source, ...said }, false, deadline),
    );
    const { published } = await ownTemplates.open(id, name);
    return { version, published };
  });
}

export const fileView = (template: string, { name, kind, size, hash }: StoredFile): TemplateFileView => ({
  name,
  kind,
  size,
  picture:
    kind === 'image'
      ? `/api/own-templates/${template}/files/${encodeURIComponent(name)}/thumbnail?v=${hash.slice(0, 12)}`
      : null,
});
