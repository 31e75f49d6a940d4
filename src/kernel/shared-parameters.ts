// Parameters that mean the same for pages and for cards. Each endpoint's table takes them at their place in its order.
import { choice, flag, int, text } from './kinds.ts';
import type { Parameter, Table } from './parameters.ts';

export const quality = {
  kind: int(1, 100),
  default: 80,
  cache: 'always',
  stage: 'capture',
  doc: 'Compression quality of jpg and webp.',
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
