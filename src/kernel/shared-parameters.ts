// Parameters that mean the same for pages and for cards. Each endpoint's table takes them at their place in its order.
import { formatNames, formats } from './formats.ts';
import { choice, flag, int, type Kind, text } from './kinds.ts';
import type { Parameter, Table } from './parameters.ts';

export const quality = {
  kind: int(1, 100),
  default: 80,
  cache: 'always',
  stage: 'capture',
  doc: `Compression quality of ${formatNames.filter((name) => formats[name].lossy).join(' and ')}.`,
} as const satisfies Parameter<number>;

export const answerParameters = {
  response: {
    kind: choice(['json']),
    cache: 'never',
    stage: 'answer',
    doc: 'Answer with JSON about the result instead of the image.',
  },
  api_key: {
    kind: text('an API key', 200),
    cache: 'never',
    stage: 'answer',
    doc: 'The API key, where the X-API-Key header cannot be sent. The header wins.',
  },
  fresh: {
    kind: flag(),
    default: false,
    cache: 'never',
    stage: 'answer',
    doc: 'Render anew even if a cached result exists; the new one replaces it.',
  },
} as const satisfies Table;

const seconds: Kind<number> = {
  ...int(60, 999_999_999),
  says: "a whole number of seconds from 60 to the plan's cache time",
  schema: { type: 'integer', minimum: 60 },
  good: ['60', '604800'],
  bad: ['59', '60.5', '', ' 60', '-60', '1e3', '0x3c', '1000000000', 'day'],
};

/** Of what shows a page, which may change or be down. */
export const freshnessParameters = {
  ttl: {
    kind: seconds,
    cache: 'never',
    stage: 'answer',
    doc: "Seconds a cached result may be old, from 60 to the plan's cache time; also the max-age of the answer.",
    example: '3600',
  },
  stale: {
    kind: flag(),
    default: false,
    cache: 'never',
    stage: 'answer',
    doc: 'Answer at once with a cached result that is too old, and render it anew behind. With fresh=true it is rendered first, and the cached result is the answer only if that fails.',
  },
} as const satisfies Table;
