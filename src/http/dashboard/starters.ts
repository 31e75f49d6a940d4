// The templates that a new one can start from: their list, their text, and a picture of each.

import type { FastifyInstance } from 'fastify';
import { cardTimeoutMs } from '../../cards/cards.ts';
import { fromFile } from '../../cards/template-document.ts';
import { builtInTemplates } from '../../cards/template-folder.ts';
import { Problem } from '../../kernel/errors.ts';
import { within } from '../template-requests.ts';
import type { StarterView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { registerOn } from './route.ts';
import { type EnterEditor, pictureCanvas, variableViews } from './template-requests.ts';

export function registerStarters(
  app: FastifyInstance,
  { ownTemplates }: DashboardDependencies,
  enter: EnterEditor,
): void {
  const route = registerOn(app);
  const pictures = new Map<string, Buffer>();

  route('GET /api/starters', async (request, reply) => {
    await enter(request, reply);
    return {
      starters: [...(await builtInTemplates()).values()].map(({ name, description }) => ({ name, description })),
    };
  });

  route('GET /api/starters/:name', async (request, reply): Promise<StarterView> => {
    const { id } = await enter(request, reply);
    const draft = await draftOf(request.params.name);
    const about = await within(reply, cardTimeoutMs, (deadline) => ownTemplates.read(id, draft, deadline));
    const { description, example } = about;
    return { name: request.params.name, description, html: draft.html, variables: variableViews(about), example };
  });

  route('GET /api/starters/:name/picture', async (request, reply) => {
    const { id } = await enter(request, reply);
    const { name } = request.params;
    let picture = pictures.get(name);
    if (picture === undefined) {
      const draft = await draftOf(name);
      picture = await within(reply, cardTimeoutMs, async (deadline) => {
        const { variables, example } = await ownTemplates.read(id, draft, deadline);
        // Its images are on other servers, which may be unavailable.
        const values = Object.entries(example).filter(([each]) => variables[each]?.type !== 'image_url');
        const card = await ownTemplates.preview(
          id,
          undefined,
          draft,
          Object.fromEntries(values),
          pictureCanvas,
          deadline,
        );
        return card.bytes;
      });
      pictures.set(name, picture);
    }
    return reply.type('image/webp').header('cache-control', 'private, max-age=3600').send(picture);
  });
}

async function draftOf(name: string) {
  const starter = (await builtInTemplates()).get(name);
  if (starter === undefined) throw new Problem('not_found', { message: 'There is no such template to start from.' });
  const { source, ...said } = fromFile(starter.text);
  return { html: source, ...said };
}
