// What the routes of the template editor share: who may enter, variables, versions, and a deadline.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Deadline } from '../../kernel/deadline.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import type { Canvas, Variable } from '../../og/og-types.ts';
import type { Account } from '../../store/store.ts';
import type { TemplateAbout } from '../../templates/template-document.ts';
import type { VariableView } from './contract.ts';

/** The signed-in account, whose plan must have cards. */
export type EnterEditor = (request: FastifyRequest, reply: FastifyReply) => Promise<Account>;

/** The pictures of a list. */
export const pictureCanvas: Canvas = { width: 600, height: 315, format: 'webp', quality: 82 };

export const variableViews = ({ variables }: TemplateAbout): VariableView[] =>
  Object.entries(variables).map(([name, variable]) => variableView(name, variable));

const variableView = (name: string, { type, doc, default: value, maxLength }: Variable): VariableView => ({
  name,
  type,
  doc,
  default: value ?? null,
  maxLength: maxLength ?? null,
});

export function versionIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidParameter('version', 'version must be a whole number above 0.');
  return Number(text);
}

/** Ends when the page is closed, too. */
export async function within<T>(reply: FastifyReply, ms: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  const deadline = new Deadline(ms, 'The template');
  const leave = () => deadline.cancel();
  reply.raw.once('close', leave);
  try {
    return await deadline.race(work(deadline));
  } finally {
    reply.raw.off('close', leave);
    deadline.done();
  }
}
