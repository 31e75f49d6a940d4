// Writes docs/og-templates.md from the template files. Part of `npm run docs`; a test holds the page to what this
// would write.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template, Variable } from '../src/og/og-types.ts';
import { loadTemplates } from '../src/og/template-files.ts';
import { itemLimit, itemsLimit, textLimit } from '../src/og/variables.ts';

const path = join(import.meta.dirname, '../docs/og-templates.md');

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ⏎ ');

const variableRow = ([name, { type, doc, default: value }]: [string, Variable]) =>
  `| \`${name}\` | ${type} | ${value === undefined ? '–' : `\`${cell(value)}\``} | ${cell(doc)} |`;

/** The example as a person would write it: curl encodes each value. */
const request = ({ name, example }: Template) =>
  [
    `curl -G "$TINTYPE/v1/og" -H "X-API-Key: $KEY" -o ${name}.png \\`,
    `  --data-urlencode template=${name} \\`,
    ...Object.entries(example).map(
      ([variable, value], i, all) =>
        `  --data-urlencode $'${variable}=${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'${i < all.length - 1 ? ' \\' : ''}`,
    ),
  ].join('\n');

const section = (template: Template) => `## ${template.name}

![A card of the template ${template.name}](../test/golden/og/${template.name}.png)

${template.description}

| variable | type | default | |
|---|---|---|---|
${Object.entries(template.variables).map(variableRow).join('\n')}

\`\`\`sh
${request(template)}
\`\`\`
`;

export async function ogTemplatesPage(): Promise<string> {
  const templates = [...(await loadTemplates()).values()];
  return `# Open Graph templates

<!-- Made from src/og/templates by \`npm run docs\`. Change it there. -->

\`GET /v1/og?template=<name>\` paints one of these cards; every parameter that is not [the endpoint's own](parameters.md#get-v1og)
is a variable of the template. \`GET /v1/og/templates\` gives this page as data. [Your own templates](own-templates.md) join them, and
[signed links](signed-links.md) put a card into public HTML without a key.

No variable is required, and every card holds at any size from 100 × 100 to 4096 × 4096: wide, square and tall ones are
laid out differently, and very small ones show the most important words alone.

| type | takes |
|---|---|
| text | up to ${textLimit.toLocaleString('en')} characters; emoji, and every widely written script, also from right to left |
| color | \`#rgb\`, \`#rgba\`, \`#rrggbb\`, \`#rrggbbaa\` (with \`#\` written \`%23\`, or left out), \`rgb()\`, \`rgba()\`, \`hsl()\`, \`hsla()\`, with commas or blanks. Text on it is made dark or light, so that it can be read |
| image_url | an https address of a png, jpg, webp, avif, gif or svg image of at most 10 MB and 50 million pixels |
| items | one item a line (\`%0A\`), at most ${itemsLimit} of ${itemLimit} characters; blank lines do not count |

A value that is not valid is a 400 that names the variable. A variable that the template does not use is ignored and named in
\`X-Warning\`, as are characters that no font has.

${templates.map(({ name }) => `[${name}](#${name})`).join(' · ')}

${templates.map(section).join('\n')}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(path, await ogTemplatesPage());
