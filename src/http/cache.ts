// DELETE /v1/cache?url=… or ?template=…: removes the account's own results of one page or template, in every format and size.
import type { FastifyInstance } from 'fastify';
import { screenshotParameters } from '../capture/parameters.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { parse, readQuery, type Table } from '../kernel/parameters.ts';
import { ogParameters } from '../og/parameters.ts';
import { subjectHash } from '../render/subject.ts';
import { identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';

const { required: _, ...template } = ogParameters.template;
const table = { url: screenshotParameters.url, template, api_key: ogParameters.api_key } as const satisfies Table;

export function registerCache(app: FastifyInstance, dependencies: HttpDependencies): void {
  app.delete('/v1/cache', async (request) => {
    const { account } = await identify(request, dependencies);
    const { values, unknown } = parse(readQuery(rawQueryOf(request)), table);
    const [wrong] = unknown.keys();
    if (wrong !== undefined) throw invalidParameter(wrong, `${wrong} is unknown here; give url or template.`);
    return { removed: await dependencies.removeResults(account.id, subjectIn(values)) };
  });
}

function subjectIn({ url, template: name }: { url?: string | undefined; template?: string | undefined }): string {
  if (url !== undefined && name !== undefined)
    throw invalidParameter('template', 'url and template are both given; give one of them.');
  if (url !== undefined) return subjectHash('url', new URL(url).href);
  if (name !== undefined) return subjectHash('template', name);
  throw new Problem('missing_parameter', { parameter: 'url', message: 'url or template is required.' });
}
