// Reads the JSON bodies and queries of the dashboard, field by field. A wrong field is a 400 that names it.
import type { FastifyRequest } from 'fastify';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { type VerdictFilter, verdictCodes } from '../../kernel/verdict.ts';
import type { Cursor } from '../../store/store.ts';
import { rawQueryOf } from '../request-context.ts';

export function fieldsOf<Fields>({ body }: { body: Fields }): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('bad_request', { message: 'The body must be a JSON object.' });
  return body;
}

/**
 * Runs the check of every field, and throws one error that says what is wrong with each: a form then marks them all at
 * once. `parameter` and the text are those of the first.
 */
export function checkAll<Checks extends Readonly<Record<string, () => unknown>>>(
  checks: Checks,
): { [Name in keyof Checks]: ReturnType<Checks[Name]> } {
  const values: Record<string, unknown> = {};
  const wrong: Record<string, string> = {};
  let first: Problem | undefined;
  for (const [name, check] of Object.entries(checks))
    try {
      values[name] = check();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      first ??= error;
      wrong[name] = error.message;
    }
  if (first === undefined) return values as { [Name in keyof Checks]: ReturnType<Checks[Name]> };
  const { code, parameter, message } = first;
  throw new Problem(code, { ...(parameter !== undefined && { parameter }), message, fields: wrong });
}

export function readText<Fields>(fields: Fields, name: keyof Fields & string, max: number): string {
  const value: unknown = fields[name];
  if (typeof value !== 'string' || value.length > max)
    throw invalidParameter(name, `${name} must be a text of at most ${max} characters.`);
  return value;
}

/** Absent and null mean the same: no time. */
export function time<Fields>(fields: Fields, name: keyof Fields & string): number | null {
  const value: unknown = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidParameter(name, `${name} must be a Unix time in whole milliseconds.`);
  return value;
}

export function readTexts<Fields>(fields: Fields, name: keyof Fields & string, maxCount: number): string[] | null {
  const value: unknown = fields[name] ?? null;
  if (value === null) return null;
  if (!Array.isArray(value) || value.length > maxCount || !value.every((each) => typeof each === 'string'))
    throw invalidParameter(name, `${name} must be a list of at most ${maxCount} texts.`);
  return value;
}

export function readChoice<const T extends string>(value: unknown, name: string, options: readonly T[]): T {
  const chosen = options.find((option) => option === value);
  if (chosen === undefined) throw invalidParameter(name, `${name} must be one of ${options.join(', ')}.`);
  return chosen;
}

const verdictFilters = ['any', 'ok', ...verdictCodes] as const;

/** The filter by verdict that both lists have. */
export function verdictIn(query: QueryReader<{ verdict?: VerdictFilter }>): VerdictFilter | undefined {
  const value = query.get('verdict');
  return value === null ? undefined : readChoice(value, 'verdict', verdictFilters);
}

/** The query of a dashboard request, read leniently: only our own pages write it. */
export const queryOf = <Query>(request: FastifyRequest<{ Querystring: Query }>): QueryReader<Query> =>
  new URLSearchParams(rawQueryOf(request));

/** Reads the parameters that the route map names, as text. */
export type QueryReader<Query> = { get(name: keyof Query & string): string | null };

/** Where the next page of a list begins, if this one is full: after its last row. */
export const nextPage = <Row>(
  rows: readonly Row[],
  pageSize: number,
  cursorOf: (last: Row) => Cursor,
): string | null => {
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  if (last === undefined) return null;
  const { at, id } = cursorOf(last);
  return `${at}-${id}`;
};

export function cursorIn(query: QueryReader<{ before?: string }>): Cursor | undefined {
  const value = query.get('before');
  if (value === null) return undefined;
  const [, at, id = ''] = /^(\d{1,15})-(.{1,200})$/.exec(value) ?? [];
  if (at === undefined) throw invalidParameter('before', 'before must be `next` of the page before.');
  return { at: Number(at), id };
}
