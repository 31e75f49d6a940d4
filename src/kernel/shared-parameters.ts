// Parameters with the same meaning for screenshots and for Open Graph images.
import { formatNames, formats } from './formats.ts';
import { choice, flag, int, type Kind, text } from './kinds.ts';
import type { Parameter, Table } from './parameters.ts';

export const quality = {
  kind: int(1, 100),
  default: 80,
  cache: 'always',
  stage: 'capture',
  doc: `Compression quality of ${formatNames.filter((name) => formats[name].lossy).join(', ')}.`,
} as const satisfies Parameter<number>;

export const answerParameters = {
  response: {
    kind: choice(['json']),
    cache: 'never',
    stage: 'answer',
    doc: 'Return JSON about the result instead of the image.',
  },
  api_key: {
    kind: text('an API key', 200),
    cache: 'never',
    stage: 'answer',
    doc: 'The API key, if the X-API-Key header cannot be sent. The header takes precedence.',
  },
  fresh: {
    kind: flag(),
    default: false,
    cache: 'never',
    stage: 'answer',
    doc: 'Render again even if a cached result exists; the new result replaces it.',
  },
} as const satisfies Table;

const seconds: Kind<number> = {
  ...int(60, 999_999_999),
  expects: "a whole number of seconds from 60 to the plan's cache lifetime",
  schema: { type: 'integer', minimum: 60 },
};

/** For screenshots only: a page may change or be unavailable. */
export const freshnessParameters = {
  ttl: {
    kind: seconds,
    cache: 'never',
    stage: 'answer',
    doc: "The maximum age of a cached result in seconds, from 60 to the plan's cache lifetime; also the max-age of the response.",
    example: '3600',
  },
  stale: {
    kind: flag(),
    default: false,
    cache: 'never',
    stage: 'answer',
    doc: 'Return a cached result that is too old at once, and render it again in the background. With fresh=true it is rendered first, and the cached result is returned only if that fails.',
  },
} as const satisfies Table;
