// The tools, made from the parameter tables: each takes those parameters that an agent needs, and a few of its own.
import { formatNames, formats } from '../kernel/formats.ts';
import { choice, int, type Kind, text } from '../kernel/kinds.ts';
import type { Parameter, Table } from '../kernel/parameters.ts';
import { tables } from '../render/endpoint-tables.ts';
import type { Endpoint } from '../render/validated-request.ts';

export type Tool = {
  readonly description: string;
  /** The arguments, by name. */
  readonly table: Table;
  /** Those that are not parameters of the endpoint. */
  readonly own: readonly string[];
  /** Parameters of the endpoint of which this tool takes fewer values. */
  readonly narrowed?: readonly string[];
};

const pick = (endpoint: Endpoint, ...names: string[]): Table =>
  Object.fromEntries(
    names.map((name) => {
      const parameter = tables[endpoint][name];
      if (parameter === undefined) throw new Error(`/v1/${endpoint} has no parameter ${name}.`);
      return [name, parameter];
    }),
  );

/** Of several sources an endpoint needs one; a tool that takes only one of them needs that. */
const required = (table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([name, parameter]) => [name, { ...parameter, required: true }]));

const anObject: Kind<Record<string, unknown>> = {
  parse: (value) => JSON.parse(value),
  expects: 'an object with a value for each variable',
  schema: { type: 'object' },
  json: 'object',
  input: 'code',
};

/** An argument that is no parameter of the API. */
const own = <T>(kind: Kind<T>, doc: string, byDefault?: T): Parameter<T> => ({
  kind,
  doc,
  cache: 'never',
  stage: 'answer',
  ...(byDefault !== undefined && { default: byDefault }),
});

const loading = ['device', 'darkMode', 'blockCookies', 'blockAds', 'waitForSelector', 'delay', 'fresh'] as const;
const pictureFormats = formatNames.filter((name) => formats[name].encodePage !== undefined);

export const tools = {
  screenshot: {
    description:
      'Take a picture of a web page (url) or of HTML that you write (html). A picture taller than 1568 px comes in tiles. Also gives a link to the full file.',
    table: {
      ...pick('screenshot', 'url', 'html', 'fullPage', 'selector', 'width', 'height', ...loading),
      format: own(choice(pictureFormats), 'Of the full file.', 'png'),
      tile: own(int(1, 200), 'Which part of a tall picture, from the top.', 1),
    },
    own: ['tile'],
    narrowed: ['format'],
  },
  read_page: {
    description:
      'Read the text of a web page (url) as Markdown: what a visitor sees, and nothing hidden. A long text comes in parts.',
    table: {
      ...required(pick('content', 'url')),
      ...pick('content', 'selector', 'blockCookies', 'waitForSelector', 'delay', 'fresh', 'format'),
      maxChars: own(int(100, 100_000), 'The most characters of this part.', 20_000),
      offset: own(int(0, 1_000_000), 'Where this part begins.', 0),
    },
    own: ['maxChars', 'offset'],
  },
  pdf: {
    description: 'Make a PDF of a web page (url), HTML or Markdown. Gives a link to the file.',
    table: pick(
      'screenshot',
      ...['url', 'html', 'markdown', 'pageSize', 'landscape', 'margin', 'pageRanges', 'singlePage'],
      ...['blockCookies', 'waitForSelector', 'delay', 'fresh'],
    ),
    own: [],
  },
  og_card: {
    description: 'Make an Open Graph image (social card) from a template.',
    table: {
      ...pick('og', 'template'),
      variables: own(anObject, "Values for the template's variables: strings, or arrays of strings for *_items."),
      ...pick('og', 'width', 'height', 'format'),
    },
    own: ['variables'],
  },
  og_templates: {
    description: 'List the templates of og_card, or the variables of one.',
    table: { template: own(text('the name of a template', 100), 'Only this one, with all its variables.') },
    own: ['template'],
  },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof tools;
