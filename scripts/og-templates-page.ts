// Part of `npm run docs`: writes docs/og-templates.md from the template files. test/cards/docs.test.ts compares the page with the output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueEntry, Variable } from '../src/cards/card-types.ts';
import { loadTemplates } from '../src/cards/template-folder.ts';
import { itemLimit, itemsLimit, textLimit } from '../src/cards/variables.ts';

const path = join(import.meta.dirname, '../docs/og-templates.md');

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ⏎ ');

const variableRow = ([name, { type, doc, default: value }]: [string, Variable]) =>
  `| \`${name}\` | ${type} | ${value === undefined ? '–' : `\`${cell(value)}\``} | ${cell(doc)} |`;

/** The example as a curl command; curl encodes each value. */
const request = ({ name, example }: CatalogueEntry) =>
  [
    `curl -G "$TINTYPE/v1/og" -H "X-API-Key: $KEY" -o ${name}.png \\`,
    `  --data-urlencode template=${name} \\`,
    ...Object.entries(example).map(
      ([variable, value], i, all) =>
        `  --data-urlencode $'${variable}=${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'${i < all.length - 1 ? ' \\' : ''}`,
    ),
  ].join('\n');

const section = (template: CatalogueEntry) => `## ${template.name}

![The template ${template.name}](../test/golden/og/${template.name}.png)

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

<!-- Generated from src/cards/templates by \`npm run docs\`. Edit the templates. -->

\`GET /v1/og?template=<name>\` renders one of these templates. Every parameter that is not one of [the endpoint's own](parameters.md#get-and-post-v1og)
is a variable of the template. \`GET /v1/og/templates\` returns this page as JSON. You can add [your own templates](own-templates.md) and use
[signed links](signed-links.md) to put a card into public HTML without a key.

No variable is required, and every template works at any size from 100 × 100 to 4096 × 4096: wide, square and tall cards have
different layouts, and very small ones show only the most important text.

| type | value |
|---|---|
| text | up to ${textLimit.toLocaleString('en')} characters; emoji, and every widely written script, also from right to left |
| color | \`#rgb\`, \`#rgba\`, \`#rrggbb\`, \`#rrggbbaa\` (with \`#\` written \`%23\`, or left out), \`rgb()\`, \`rgba()\`, \`hsl()\`, \`hsla()\`, with commas or spaces, or a CSS name such as \`teal\`. Text on it is dark or light, whichever is legible |
| image_url | an https URL of a png, jpg, webp, avif, gif or svg image of at most 10 MB and 50 million pixels, which can be decoded in 5 seconds of a processor and 1 GB of memory; if a card has more than five images, each may have an equal share of 50 MB |
| items | one item on each line (\`%0A\`), at most ${itemsLimit} items of ${itemLimit} characters; empty lines do not count |

An invalid value is a 400 that names the variable. A variable that the template does not have is ignored and named in
\`X-Warning\`, as are characters that no font contains.

${templates.map(({ name }) => `[${name}](#${name})`).join(' · ')}

${templates.map(section).join('\n')}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(path, await ogTemplatesPage());
