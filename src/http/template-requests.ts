// What /v1/templates and the editor read from a request for a template.
import type { FastifyReply } from 'fastify';
import { fromFile } from '../cards/template-document.ts';
import { Deadline } from '../kernel/deadline.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { TemplateDraft } from '../templates/own-templates.ts';

/** To read it, paint it once, and save it. */
export const saveMs = 20_000;

export function versionIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidParameter('version', 'version must be a whole number above 0.');
  return Number(text);
}

/** The HTML may be a whole file, with what is said of it at its top; fields beside it win. */
export function draftIn({ html, description, variables, files }: Readonly<Record<string, unknown>>): TemplateDraft {
  if (html === undefined) throw new Problem('missing_parameter', { parameter: 'html', message: 'html is missing.' });
  if (typeof html !== 'string') throw invalidParameter('html', 'html must be a text.');
  const file = fromFile(html);
  return {
    html: file.source,
    description: description ?? file.description,
    variables: variables ?? file.variables,
    files: files ?? file.files,
  };
}

/** With `reply`, the work also ends when its page is closed. */
export async function within<T>(
  reply: FastifyReply | undefined,
  ms: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(ms, 'The template');
  const leave = () => deadline.cancel();
  reply?.raw.once('close', leave);
  try {
    return await deadline.race(work(deadline));
  } finally {
    reply?.raw.off('close', leave);
    deadline.done();
  }
}
