// The schemas of the OpenAPI document: what JSON responses look like.

import { textFormats } from '../content/content-types.ts';
import { errorTable } from '../kernel/errors.ts';
import { cardFormats, formatNames } from '../kernel/formats.ts';
import { planNames, plans } from '../kernel/plans.ts';
import { verdictCodes } from '../kernel/verdict.ts';
import { ref } from './openapi-responses.ts';

type Json = Record<string, unknown>;

/** An object whose properties are always there, except for the optional ones. */
export const object = (properties: Json, optional: readonly string[] = [], more: Json = {}): Json => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  ...more,
});

export const text = (description: string): Json => ({ type: 'string', description });
const nullableText = (description: string): Json => ({ type: ['string', 'null'], description });

const error = object(
  {
    error: text('A sentence for a person.'),
    code: { type: 'string', enum: Object.keys(errorTable), description: 'For programs. It does not change.' },
    parameter: text('The parameter at fault, where one is.'),
    requiredPlan: {
      type: 'string',
      enum: Object.keys(plans),
      description: 'With plan_required: the lowest plan that has it.',
    },
    verdict: ref('Verdict'),
    requestId: text('Also in the X-Request-Id header and in the log.'),
  },
  ['parameter', 'requiredPlan', 'verdict'],
);

const verdict = object(
  {
    ok: { type: 'boolean', description: 'True when there are no codes.' },
    codes: { type: 'array', items: { type: 'string', enum: verdictCodes } },
  },
  [],
  { description: 'Whether the capture shows the page, and what suggests that it does not.' },
);

const page = object({
  status: { type: 'integer', description: 'The status with which the page answered.' },
  finalUrl: nullableText('After redirects. Null where it is the page that the caller sent.'),
  title: text('The title of the page.'),
});

const about = {
  renderTime: { type: 'integer', description: 'Milliseconds.' },
  cachedAt: { type: ['integer', 'null'], description: 'Unix time in milliseconds; null when freshly rendered.' },
  warnings: { type: 'array', items: { type: 'string' }, description: 'What a person would want to know.' },
};

const picture = (format: Json): Json => ({
  imageUrl: {
    type: ['string', 'null'],
    format: 'uri',
    description:
      'Opens without a key, until the result expires; for a page behind a login at most for an hour. Null where the result could not be stored.',
  },
  width: { type: 'number', description: 'Output pixels; for a PDF the width of its page in points.' },
  height: { type: 'number', description: 'Output pixels; for a PDF the height of its page in points.' },
  format,
  size: { type: 'integer', description: 'File size in bytes.' },
});

const capture = (sources: readonly string[]): Json => ({
  url: { type: ['string', 'null'], format: 'uri', description: 'Null where the caller sent the page.' },
  source: { type: 'string', enum: sources },
});

const link = 'https://shots.example.com/v1/files/4f3c9a.png?expires=1893456000&signature=9b1c0e';
const pageExample = { status: 200, finalUrl: 'https://example.com/', title: 'Example Domain' };
const aboutExample = { renderTime: 412, cachedAt: null, warnings: [] };
const captureExample = { page: pageExample, verdict: { ok: true, codes: [] } };

const screenshot = object(
  {
    ...capture(['url', 'html', 'markdown']),
    ...picture(ref('OutputFormat')),
    pages: { type: 'integer', description: 'PDF only: how many pages it has.' },
    page,
    verdict: ref('Verdict'),
    ...about,
  },
  ['pages'],
  {
    examples: [
      {
        ...{ url: 'https://example.com/', source: 'url', imageUrl: link, width: 1280, height: 800, format: 'png' },
        ...{ size: 48213, ...captureExample, ...aboutExample },
      },
    ],
  },
);

const card = object({ template: text('The name of the template.'), ...picture(ref('CardFormat')), ...about }, [], {
  examples: [
    {
      ...{ template: 'blog-post', imageUrl: link, width: 1200, height: 630, format: 'png', size: 31870 },
      ...aboutExample,
      renderTime: 38,
    },
  ],
});

const content = object(
  {
    ...capture(['url', 'html']),
    title: nullableText('The title of the article or of the page.'),
    description: nullableText('A summary by its author.'),
    language: nullableText('As the page declares it, such as `en` or `pt-BR`.'),
    byline: nullableText('Who wrote it.'),
    siteName: nullableText('The name of the site.'),
    publishedAt: nullableText('ISO 8601.'),
    image: nullableText('The address of the picture that represents it.'),
    favicon: nullableText('The address of the icon of the site.'),
    canonical: nullableText('The address that the page calls its own.'),
    links: {
      type: 'array',
      description: 'Without duplicates, in the order of the page.',
      items: object({ href: text('The address.'), text: text('The text of the link.') }),
    },
    format: ref('TextFormat'),
    content: text('The text.'),
    words: { type: 'integer', description: 'Of the whole text, also where it was cut.' },
    truncated: { type: 'boolean', description: 'The text was cut.' },
    page,
    verdict: ref('Verdict'),
    ...about,
  },
  [],
  {
    examples: [
      {
        ...{ url: 'https://example.com/', source: 'url', title: 'Example Domain', description: null, language: 'en' },
        ...{ byline: null, siteName: null, publishedAt: null, image: null, favicon: null, canonical: null },
        links: [{ href: 'https://www.iana.org/domains/example', text: 'More information' }],
        ...{
          format: 'markdown',
          content: '# Example Domain\n\nThis domain is for examples.',
          words: 7,
          truncated: false,
        },
        ...{ ...captureExample, ...aboutExample },
      },
    ],
  },
);

export const variable = object(
  {
    type: { type: 'string', enum: ['text', 'color', 'image_url', 'items'] },
    doc: text('What it is.'),
    default: text('What it is where it is not given.'),
  },
  ['default'],
);

const template = object({
  name: text('The value of `template`.'),
  description: text('What it is for.'),
  variables: { type: 'object', additionalProperties: variable },
  example: { type: 'object', additionalProperties: { type: 'string' } },
  meta: text('A <meta> snippet for a page, to be signed.'),
});

const time: Json = { type: 'integer', description: 'Unix milliseconds.' };
const count: Json = { type: 'integer', minimum: 0 };
const monthly: Json = { type: ['integer', 'null'], description: 'Null where the plan has no monthly allowance.' };

const usage = object({
  plan: { type: 'string', enum: planNames },
  period: object({ from: time, to: time }),
  quota: object({ limit: monthly, used: count, remaining: monthly, resetAt: time }),
  rate: object({ limit: count, remaining: count, resetAt: time }, [], { description: 'Renders a minute.' }),
  requests: object({ renders: count, hits: count, errors: count }),
});

export const schemas: Json = {
  // Schemas of their own: orval would call the type of `Screenshot.format` and that of the parameter of `screenshot` by one name.
  OutputFormat: { type: 'string', enum: formatNames, description: 'The format of the file.' },
  CardFormat: { type: 'string', enum: cardFormats, description: 'The format of the file.' },
  TextFormat: { type: 'string', enum: textFormats, description: 'The format of the text.' },
  Error: error,
  Verdict: verdict,
  Screenshot: screenshot,
  Content: content,
  Card: card,
  Template: template,
  Templates: object({ templates: { type: 'array', items: ref('Template') } }),
  Removed: object({ removed: { type: 'integer', minimum: 0, description: 'How many results were removed.' } }, [], {
    examples: [{ removed: 3 }],
  }),
  Usage: usage,
  Health: object({ status: { type: 'string', const: 'ok' } }),
  Readiness: object({ status: { type: 'string', enum: ['ready', 'not ready'] }, reasons: reasons() }, ['reasons'], {
    additionalProperties: true,
    description: 'Also one boolean for each thing that the server needs.',
  }),
};

function reasons(): Json {
  return { type: 'object', additionalProperties: { type: 'string' }, description: 'Why a thing is missing.' };
}
