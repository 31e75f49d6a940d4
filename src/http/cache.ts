// DELETE /v1/cache?url=… or ?template=…: removes the account's own results of one page or template, in every format and size.
import type { FastifyInstance } from 'fastify';
import { checkAllowedHost, checkAllowedTemplate } from '../access/keys.ts';
import { screenshotParameters } from '../capture/parameters.ts';
import { ogParameters } from '../cards/parameters.ts';
import { withoutTrailingDot } from '../kernel/allowed-hosts.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { parse, readQuery, type Table } from '../kernel/parameters.ts';
import { subjectHash } from '../render/subject.ts';
import { type Caller, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';

const { required: _, ...template } = ogParameters.template;
const table = { url: screenshotParameters.url, template, api_key: ogParameters.api_key } as const satisfies Table;

export function registerCache(app: FastifyInstance, dependencies: HttpDependencies): void {
  app.delete('/v1/cache', async (request) => {
    const { account, key } = await identify(request, dependencies);
    const { values, unknown } = parse(readQuery(rawQueryOf(request)), table);
    const [wrong] = unknown.keys();
    if (wrong !== undefined) throw invalidParameter(wrong, `${wrong} is unknown here; give url or template.`);
    return { removed: await dependencies.removeResults(account.id, subjectIn(values, key)) };
  });
}

type Subject = { readonly url?: string | undefined; readonly template?: string | undefined };

/** A key that is limited to hosts or templates may remove only what it may render. */
function subjectIn({ url, template: name }: Subject, key: Caller['key']): string {
  if (url !== undefined && name !== undefined)
    throw invalidParameter('template', 'url and template are both given; give one of them.');
  if (url !== undefined) {
    const target = new URL(url);
    target.hostname = withoutTrailingDot(target.hostname);
    checkAllowedHost(key, target);
    return subjectHash('url', target.href);
  }
  if (name !== undefined) {
    if (name.includes('@'))
      throw invalidParameter(
        'template',
        'template must be a name without a version; the results of all its versions are removed.',
      );
    checkAllowedTemplate(key, name);
    return subjectHash('template', name);
  }
  throw new Problem('missing_parameter', { parameter: 'url', message: 'url or template is required.' });
}
