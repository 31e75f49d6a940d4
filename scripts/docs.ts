// `npm run docs`: writes the reference pages of docs/ from the tables in the code. test/docs compares the pages with the output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devices } from '../src/capture/devices.ts';
import { groupOf, groupTitles } from '../src/capture/parameter-groups.ts';
import { screenshotParameters } from '../src/capture/parameters.ts';
import { ogParameters } from '../src/cards/parameters.ts';
import { describeSettings } from '../src/config.ts';
import { contentParameters } from '../src/content/parameters.ts';
import { errorTable } from '../src/kernel/errors.ts';
import type { Parameter, Table } from '../src/kernel/parameters.ts';
import { ogPlan, type PlanName, planIncludes, plans } from '../src/kernel/plans.ts';
import { guaranteesPage, performancePage } from './measured-pages.ts';

const row = (...cells: readonly (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(...head), `|${head.map(() => '---').join('|')}|`, ...rows.map((cells) => row(...cells))].join('\n');

const planOf = ({ plan }: Parameter) => (plan === undefined ? 'all' : `${plans[plan].label}+`);
const defaultOf = (parameter: Parameter) =>
  parameter.required ? '**required**' : parameter.default === undefined ? '–' : `\`${parameter.default}\``;
const parameterTable = (all: Table, wanted: (name: string, parameter: Parameter) => boolean) =>
  table(
    ['parameter', 'takes', 'default', 'plan', 'what it does'],
    Object.entries(all)
      .filter(([name, parameter]) => wanted(name, parameter))
      .map(([name, parameter]) => [
        `\`${name}\``,
        parameter.kind.expects,
        defaultOf(parameter),
        planOf(parameter),
        `${parameter.doc}${parameter.onlyBody === undefined ? '' : ' **POST only.**'}`,
      ]),
  );

const groupSection = (title: string) =>
  [
    `### ${title}`,
    ...(title === 'PDF' ? ['They take effect, and need their plan, only with `format=pdf`.'] : []),
    parameterTable(screenshotParameters, (name, parameter) => groupOf(name, parameter) === title),
  ].join('\n\n');

const madeFrom = (source: string) => `<!-- Generated from ${source} by \`npm run docs\`. Edit the source. -->`;

export const pages: Readonly<Record<string, string>> = {
  'parameters.md': `# Parameters

${madeFrom('src/capture/parameters.ts, parameter-groups.ts, devices.ts, src/content/parameters.ts and src/cards/parameters.ts')}

In a GET the parameters are the query: numbers are decimal digits (\`12\`, \`1.5\`), booleans are \`true\` or \`false\`, or \`1\` or \`0\`. In a POST they are one JSON
object with numbers and booleans of JSON; \`clip\`, \`margin\` and \`geolocation\` may be arrays of numbers, lists (\`*_items\`) arrays of strings, and \`null\` means
"not given". A parameter that is empty, out of range or given twice is a 400 that names it. An unknown parameter of \`/v1/screenshot\` and \`/v1/content\` is ignored and named in \`X-Warning\`.

## GET and POST /v1/screenshot

${groupTitles.map(groupSection).join('\n\n')}

### Devices

${table(
  ['device', 'width', 'height', 'scale'],
  Object.entries(devices).map(([name, { width, height, scale }]) => [`\`${name}\``, width, height, scale]),
)}

## GET and POST /v1/content

The page as text: see [content](content.md).

${parameterTable(contentParameters, () => true)}

## GET and POST /v1/og

Pro plan or higher. Every other parameter is a variable of the template: see [templates](og-templates.md).

${parameterTable(ogParameters, () => true)}
`,

  'errors.md': `# Errors

${madeFrom('src/kernel/errors.ts')}

Every error is JSON of this shape:

\`\`\`json
{
  "error": "width must be a whole number from 1 to 3840.",
  "code": "invalid_parameter",
  "parameter": "width",
  "requestId": "mi2k7x4fQ3Zk0b7y"
}
\`\`\`

\`error\` is for people, and its text may change; \`code\` is for programs and does not change. \`parameter\` is present if one parameter
is at fault, \`requiredPlan\` with \`plan_required\`, \`verdict\` with \`capture_rejected\` ([verdicts](verdicts.md)). The \`requestId\` is also in the \`X-Request-Id\` header and in the server's log.

${table(
  ['status', 'code', 'when'],
  Object.entries(errorTable).map(([code, { status, doc }]) => [status, `\`${code}\``, doc]),
)}
`,

  'settings.md': `# Settings

${madeFrom('src/config.ts')}

Settings are environment variables. An empty variable counts as unset. An invalid value stops the start with a message that says
what is allowed.

${table(
  ['variable', 'what it does', 'format', 'default', 'example'],
  describeSettings().map(({ env, default: value, expects, example, doc }) => [
    `\`${env}\``,
    doc,
    expects,
    value,
    `\`${example}\``,
  ]),
)}
`,

  'performance.md': performancePage(madeFrom('bench/results and bench/goals.ts'), table),
  'guarantees.md': guaranteesPage(madeFrom('chaos/results and chaos/all.ts'), table),
  'plans.md': `# Plans

${madeFrom('src/kernel/plans.ts and the parameter tables')}

${table(
  ['', ...Object.values(plans).map(({ label }) => label)],
  [
    ['cache lifetime', ...Object.values(plans).map(({ ttlDays }) => `${ttlDays} days`)],
    ['active API keys', ...Object.values(plans).map(({ keys }) => keys)],
    ['renders a minute', ...Object.values(plans).map(({ rendersPerMinute }) => rendersPerMinute)],
    ['renders a month', ...Object.values(plans).map(({ rendersPerMonth }) => rendersPerMonth ?? 'unlimited')],
    ['renders at once', ...Object.values(plans).map(({ rendersAtOnce }) => rendersAtOnce)],
    ['jobs that wait', ...Object.values(plans).map(({ jobsQueued }) => jobsQueued.toLocaleString('en'))],
    ['storage (`storageMb`)', ...Object.values(plans).map(({ storageMb }) => `${storageMb / 1000} GB`)],
    ...featureRows(),
  ],
)}

Every render that was started counts toward the minute, whatever its result: a page that times out or does not contain the
\`clip\` was loaded too. These are free: cache hits; errors found before a render starts (a parameter, a refused
or unknown address, a full queue, a timeout in the queue); captures that \`failOn\` rejects; server errors (502 \`renderer_unavailable\`, 500, 503).

A plan can have a monthly allowance: \`PLAN_LIMITS={"free":{"rendersPerMonth":1000}}\`. The same renders count toward it. The count is kept in the database, so it is
exact with any number of servers and survives restarts. Every response has \`X-Quota-Limit\`, \`X-Quota-Remaining\` and \`X-Quota-Reset\` (Unix seconds), \`GET /v1/usage\` and the dashboard
show the same. Beyond it, renders are refused with 429 \`quota_exceeded\` until the next month (UTC); cached results are still served.

Renders beyond "at once" wait; they are not refused. A render counts until it ends, also while its page only waits. A PDF counts as two renders at once, a larger picture
as one for each 16 megapixels (avif: 4; a full page is taken as 8,000 px high), at most 16. On a busy server a plan gets twice the share of the next lower plan.
\`PLAN_LIMITS\` changes the numbers: see [settings](settings.md).
`,
};

function featureRows(): string[][] {
  const names = Object.keys(plans) as PlanName[];
  const gated = Object.entries(screenshotParameters as Table).filter(([, { plan }]) => plan !== undefined);
  const marks = (lowest: PlanName) => names.map((name) => (planIncludes(name, lowest) ? '✓' : '–'));
  return [...gated.map(([name, { plan = 'free' }]) => [`\`${name}\``, ...marks(plan)]), ['`/v1/og`', ...marks(ogPlan)]];
}

if (process.argv[1] === import.meta.filename)
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(import.meta.dirname, '../docs', name), text);
