// The table of the parameters of /v1/og. Every other name in the query is a variable of the template.
import { cardFormats, formatSpellings } from '../kernel/formats.ts';
import { choice, int, type Kind, text } from '../kernel/kinds.ts';
import type { Table } from '../kernel/parameters.ts';
import { answerParameters, quality } from '../kernel/shared-parameters.ts';

const templateName: Kind<string> = {
  ...text('the name of a template', 100),
  schema: { type: 'string', minLength: 1, maxLength: 100 },
  input: 'select',
};

const unixSeconds: Kind<number> = {
  parse: (value) => (/^\d{1,12}$/.test(value) ? Number(value) : undefined),
  expects: 'a Unix time in whole seconds',
  schema: { type: 'integer', minimum: 0 },
  input: 'number',
};

export const ogParameters = {
  template: {
    kind: templateName,
    required: true,
    cache: 'always',
    stage: 'target',
    doc: 'The template to render. GET /v1/og/templates lists them with their variables.',
    example: 'blog-post',
  },
  format: {
    kind: choice(cardFormats, formatSpellings),
    default: 'png',
    cache: 'always',
    stage: 'capture',
    doc: 'The output format.',
  },
  width: {
    kind: int(100, 4096),
    default: 1200,
    cache: 'always',
    stage: 'viewport',
    doc: 'Width of the card in pixels.',
  },
  height: {
    kind: int(100, 4096),
    default: 630,
    cache: 'always',
    stage: 'viewport',
    doc: 'Height of the card in pixels.',
  },
  quality,
  ...answerParameters,
  api_key: {
    ...answerParameters.api_key,
    doc: `${answerParameters.api_key.doc} For public HTML use a signed link.`,
  },
  key_id: {
    kind: text('the id of a key', 100),
    cache: 'never',
    stage: 'answer',
    doc: 'Of a signed link: the key whose secret signed it.',
  },
  expires: {
    kind: unixSeconds,
    cache: 'never',
    stage: 'answer',
    doc: 'Of a signed link: the Unix time in seconds after which it is refused.',
  },
  signature: {
    kind: text('a signature', 200),
    cache: 'never',
    stage: 'answer',
    doc: 'Of a signed link: HMAC-SHA256 over path and query as sent, in hex, always the last parameter.',
  },
} as const satisfies Table;

/** No template may have a variable with one of these names. */
export const ogReservedNames: ReadonlySet<string> = new Set(Object.keys(ogParameters));
