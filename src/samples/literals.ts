// Values as literals of each language. What a language would read in a text is escaped, control characters included.

/** A value, or the environment variable that holds it as JSON. */
export type Expression =
  | string
  | number
  | boolean
  | null
  | readonly Expression[]
  | { readonly variable: string }
  | { readonly fields: readonly (readonly [name: string, value: Expression])[] };

/** How a language writes what is not a text. */
type Writer = {
  readonly text: (text: string) => string;
  readonly variable: (name: string) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly fields: (fields: readonly (readonly [name: string, value: string])[]) => string;
  readonly name?: (name: string) => string;
};

function write(value: Expression, writer: Writer): string {
  if (typeof value === 'string') return writer.text(value);
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value === 'boolean') return writer.words[`${value}`];
  if ('variable' in value) return writer.variable(value.variable);
  if (!('fields' in value)) return `[${value.map((each) => write(each, writer)).join(', ')}]`;
  const name = writer.name ?? writer.text;
  return writer.fields(value.fields.map(([key, each]) => [name(key), write(each, writer)]));
}

/** A value of JSON as an expression. */
export function expressionOf(value: unknown): Expression {
  if (Array.isArray(value)) return value.map(expressionOf);
  if (typeof value !== 'object' || value === null) return value as string | number | boolean | null;
  return { fields: Object.entries(value).map(([name, each]) => [name, expressionOf(each)]) };
}

const words = { true: 'true', false: 'false', null: 'null' };
const inBraces =
  (colon: string, [open, close]: readonly [string, string] = ['{ ', ' }']) =>
  (fields: readonly (readonly [string, string])[]) =>
    fields.length === 0
      ? `${open}${close}`.replaceAll(' ', '')
      : open + fields.map(([name, value]) => `${name}${colon}${value}`).join(', ') + close;

const quoted = (text: string) => JSON.stringify(text.toWellFormed());

/** A word of the command line. */
export const shell = Object.assign((text: string) => `'${text.replaceAll("'", `'\\''`)}'`, {
  /** JSON inside a here-document whose variables are filled in. */
  inDocument: (value: Expression): string =>
    write(value, {
      text: (text) => quoted(text).replaceAll(/[\\$`]/g, '\\$&'),
      variable: (name) => `$${name}`,
      words,
      fields: inBraces(': '),
    }),
});

export const js = {
  name: (name: string): string => (/^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' ? name : `[${js.value(name)}]`),
  value: (value: Expression): string =>
    write(value, {
      text: (text) => `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
      variable: (name) => `JSON.parse(process.env.${name})`,
      words,
      fields: inBraces(': '),
      name: js.name,
    }),
};

export const python = {
  value: (value: Expression): string =>
    write(value, {
      text: quoted,
      variable: (name) => `json.loads(os.environ["${name}"])`,
      words: { true: 'True', false: 'False', null: 'None' },
      fields: inBraces(': '),
    }),
};

export const php = {
  value: (value: Expression): string =>
    write(value, {
      text: (text) => inQuotes(text.toWellFormed(), /[\\"$]/g),
      variable: (name) => `json_decode(getenv('${name}'))`,
      words,
      fields: inBraces(' => ', ['[', ']']),
    }),
};

export const ruby = {
  value: (value: Expression): string =>
    write(value, {
      text: (text) => inQuotes(text.toWellFormed(), /[\\"#]/g),
      variable: (name) => `JSON.parse(ENV.fetch('${name}'))`,
      words: { ...words, null: 'nil' },
      fields: inBraces(' => '),
    }),
};

const hasControl = /\p{Cc}/u;

/** PHP and Ruby read no escapes between single quotes; control characters need double quotes, and what is read in them an escape. */
function inQuotes(text: string, special: RegExp): string {
  if (!hasControl.test(text)) return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const escaped = text
    .replaceAll(special, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(/\p{Cc}/gu, (control) => `\\u{${control.charCodeAt(0).toString(16)}}`);
  return `"${escaped}"`;
}
