// Values as literals of each language. What a language would read in a text is escaped, control characters included.

/** A value, or the environment variable that holds it as JSON. */
export type Expression = string | number | boolean | { readonly variable: string };

const quoted = (text: string) => JSON.stringify(text.toWellFormed());

/** A word of the command line. */
export const shell = Object.assign((text: string) => `'${text.replaceAll("'", `'\\''`)}'`, {
  /** JSON inside a here-document whose variables are filled in. */
  inDocument: (value: Expression): string =>
    typeof value === 'object'
      ? `$${value.variable}`
      : (typeof value === 'string' ? quoted(value) : String(value)).replaceAll(/[\\$`]/g, '\\$&'),
});

export const js = {
  name: (name: string): string => (/^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' ? name : `[${js.value(name)}]`),
  value: (value: Expression): string =>
    typeof value === 'object'
      ? `JSON.parse(process.env.${value.variable})`
      : typeof value === 'string'
        ? `'${quoted(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
        : String(value),
};

export const python = {
  value: (value: Expression): string =>
    typeof value === 'object'
      ? `json.loads(os.environ["${value.variable}"])`
      : typeof value === 'string'
        ? quoted(value)
        : typeof value === 'boolean'
          ? value
            ? 'True'
            : 'False'
          : String(value),
};

const hasControl = /\p{Cc}/u;

export const php = {
  value: (value: Expression): string =>
    typeof value === 'object'
      ? `json_decode(getenv('${value.variable}'))`
      : typeof value === 'string'
        ? phpText(value.toWellFormed())
        : String(value),
};

function phpText(text: string): string {
  if (!hasControl.test(text)) return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const escaped = text
    .replaceAll(/[\\"$]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(/\p{Cc}/gu, (control) => `\\u{${control.charCodeAt(0).toString(16)}}`);
  return `"${escaped}"`;
}

export const ruby = {
  value: (value: Expression): string =>
    typeof value === 'object'
      ? `JSON.parse(ENV.fetch('${value.variable}'))`
      : typeof value === 'string'
        ? rubyText(value.toWellFormed())
        : String(value),
};

function rubyText(text: string): string {
  if (!hasControl.test(text)) return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const escaped = text
    .replaceAll(/[\\"#]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(/\p{Cc}/gu, (control) => `\\u{${control.charCodeAt(0).toString(16)}}`);
  return `"${escaped}"`;
}
