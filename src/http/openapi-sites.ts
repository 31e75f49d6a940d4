// Cards of sites in the OpenAPI document.
import { longestPath } from '../sites/origin.ts';
import { binary, bytesResponses, errors, headersOf, notModified, ref } from './openapi-responses.ts';

type Json = Record<string, unknown>;

const siteId = {
  name: 'site_id',
  in: 'path',
  required: true,
  description: 'The id of the site; the dashboard shows it under Sites.',
  schema: { type: 'string', pattern: '^site_[A-Za-z0-9]+$' },
};

export const sitePaths: Json = {
  '/v1/sites/{site_id}/{path}': {
    get: {
      operationId: 'siteCard',
      tags: ['Cards'],
      summary: 'The card of one page of a registered site',
      description:
        'For the `og:image` of every page of a site: needs no key and no signature. The title, description, author, date and image of the page fill the template that the owner has chosen. It is answered within five seconds: if the page is missing or cannot be read, with its last card or the card of the site itself. The query string does not count.',
      security: [],
      parameters: [
        siteId,
        {
          name: 'path',
          in: 'path',
          required: true,
          description: `The path of the page as in its own address, slashes included, without the first one. At most ${longestPath} characters.`,
          schema: { type: 'string', maxLength: longestPath },
          example: 'blog/hello',
        },
      ],
      responses: {
        ...bytesResponses(
          ['image/png'],
          binary,
          'The card, 1200 by 630. `X-Card` says whether it shows the `page` or the `site`.',
          headersOf('X-Card'),
        ),
        ...notModified,
        ...errors([400, 403, 404, 416, 429, 502, 504]),
      },
    },
  },
  '/v1/sites/{site_id}/refresh': {
    post: {
      operationId: 'refreshSitePage',
      tags: ['Cards'],
      summary: 'Read a page of a site again',
      description:
        'Pages are read again a day after they were read. This reads one at once, in the background, and paints its card anew.',
      parameters: [siteId],
      requestBody: {
        required: true,
        description: 'One JSON object.',
        content: {
          'application/json': {
            schema: ref('SiteRefreshBody'),
            examples: { example: { summary: 'an example', value: { path: '/blog/hello' } } },
          },
        },
      },
      responses: {
        202: {
          description: 'It is being read.',
          content: { 'application/json': { schema: ref('SiteRefresh') } },
        },
        ...errors([400, 401, 403, 404, 413, 415, 429]),
      },
    },
  },
};

const path: Json = { type: 'string', description: 'The path of the page, such as /blog/hello.' };

export const siteSchemas: Json = {
  SiteRefreshBody: { type: 'object', required: ['path'], properties: { path } },
  SiteRefresh: {
    type: 'object',
    required: ['path', 'status'],
    properties: { path, status: { type: 'string', enum: ['refreshing'] } },
  },
};
