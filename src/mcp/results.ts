// What a tool call gives back: blocks of content for the model, and the same facts as data.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Cancelled } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { redact } from '../kernel/log.ts';
import type { ResultFacts } from './backend.ts';
import { addressOf } from './page-address.ts';
import type { ModelPicture } from './picture.ts';

/** Bounds for what an answer repeats: the whole of it must stay small. */
const longestMessage = 2000;
const longestWarning = 300;
const mostWarnings = 10;

export const textBlock = (text: string) => ({ type: 'text' as const, text });

/** The facts about a result, cut to bounded lengths. None of them is text of the page. */
export function factsOf({ imageUrl, format, size, pages, page, verdict, warnings, cachedAt }: ResultFacts) {
  return {
    ...(imageUrl && { imageUrl }),
    format,
    ...(size !== undefined && { size }),
    ...(pages !== undefined && { pages }),
    ...(page && { status: page.status }),
    ...(page?.finalUrl && { finalUrl: addressOf(page.finalUrl) }),
    ...(verdict && { verdict }),
    warnings: warnings.slice(0, mostWarnings).map((warning) => warning.slice(0, longestWarning)),
    ...(cachedAt != null && { cachedAt }),
  };
}

/** The facts in sentences: many clients show models only the blocks. */
export function factLines({ verdict, warnings, imageUrl }: ReturnType<typeof factsOf>): string[] {
  return [
    ...(verdict?.ok === false ? [`Verdict: ${verdict.codes.join(', ')}.`] : []),
    ...(warnings.length > 0 ? [`Warnings: ${warnings.join(' ')}`] : []),
    ...(imageUrl ? [`Full file: ${imageUrl}`] : []),
  ];
}

export function pictureResult(what: string, facts: ResultFacts, picture: ModelPicture, tile: number): CallToolResult {
  const { bytes, type, width, height, full, tiles } = picture;
  const told = factsOf(facts);
  const shown = tiles === 1 ? `shown at ${width} × ${height}` : `tile ${tile} of ${tiles}, ${width} × ${height}`;
  const more = tile < tiles ? [`Call again with tile=${tile + 1} for the next part.`] : [];
  return {
    content: [
      textBlock([`${what}: ${full.width} × ${full.height} px, ${shown}.`, ...more, ...factLines(told)].join('\n')),
      { type: 'image', data: bytes.toString('base64'), mimeType: type },
    ],
    structuredContent: { ...full, tile, tiles, ...told },
  };
}

export function pdfResult(facts: ResultFacts): CallToolResult {
  const { pages = 0, size = 0 } = facts;
  const told = factsOf(facts);
  const line = `PDF: ${pages} ${pages === 1 ? 'page' : 'pages'}, ${size.toLocaleString('en')} bytes.`;
  return { content: [textBlock([line, ...factLines(told)].join('\n'))], structuredContent: told };
}

/** The error body of the API. */
export function failure(error: unknown): CallToolResult {
  const problem = asProblem(error);
  const { code, parameter, requiredPlan, retryAfter, verdict } = problem;
  const message = redact(problem.message.slice(0, longestMessage));
  return {
    isError: true,
    content: [textBlock(`${code}: ${message}`)],
    structuredContent: {
      error: message,
      code,
      ...(parameter !== undefined && { parameter: redact(parameter.slice(0, longestMessage)) }),
      ...(requiredPlan !== undefined && { requiredPlan }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(verdict !== undefined && { verdict }),
    },
  };
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(error instanceof Cancelled ? 'shutting_down' : 'internal_error');
}
