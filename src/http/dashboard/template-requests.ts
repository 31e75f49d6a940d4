// What the routes of the template editor share: who may enter, pictures, variables.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Canvas, Variable } from '../../cards/card-types.ts';
import type { TemplateAbout } from '../../cards/template-document.ts';
import type { Account } from '../../store/store.ts';
import type { VariableView } from './contract.ts';

/** The signed-in account, whose plan must have cards. */
export type EnterEditor = (request: FastifyRequest, reply: FastifyReply) => Promise<Account>;

/** The pictures of a list. */
export const pictureCanvas: Canvas = { width: 600, height: 315, format: 'webp', quality: 82 };

export const variableViews = ({ variables }: TemplateAbout): VariableView[] =>
  Object.entries(variables).map(([name, variable]) => variableView(name, variable));

const variableView = (name: string, { type, doc, default: value }: Variable): VariableView => ({
  name,
  type,
  doc,
  default: value ?? null,
});
