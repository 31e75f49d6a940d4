// POST of an endpoint: the parameters as one JSON object. 401 → the body (413, 415, 400) → validate → render → reply.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../kernel/errors.ts';
import { readQuery } from '../kernel/parameters.ts';
import { parametersIn } from '../render/endpoint-tables.ts';
import { storedParameters } from '../render/usage-texts.ts';
import { checkOgPlan } from '../render/validate-card.ts';
import { type Endpoint, resultPaths } from '../render/validated-request.ts';
import { acceptedFormat } from './accepted-format.ts';
import { readJson } from './body-reader.ts';
import { type Caller, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';
import { renderAndReply } from './results.ts';

/** Of a POST only the key may be in the query. */
const inQuery = new Set(['api_key']);

export function registerPost(app: FastifyInstance, endpoint: Endpoint, dependencies: HttpDependencies): void {
  for (const path of resultPaths(endpoint))
    app.post(path, async (request, reply) => {
      request.context.endpoint = endpoint;
      const caller: Caller = await identify(request, dependencies);
      if (endpoint === 'og') checkOgPlan(caller.account.plan);
      const body = await readJson(request, reply, caller.account.id);
      const parameters = parametersIn(endpoint, body);
      const format = acceptedFormat(request, reply, endpoint, parameters.has('format'));
      if (format !== undefined) parameters.set('format', format);
      request.context.parameters = storedParameters(parameters);
      refuseQuery(rawQueryOf(request));
      const validated = await dependencies.validate(endpoint, parameters, caller);
      return renderAndReply(request, reply, validated, dependencies);
    });
}

export function refuseQuery(raw: string): void {
  for (const name of readQuery(raw).keys())
    if (!inQuery.has(name))
      throw new Problem('invalid_parameter', {
        parameter: name,
        message: `${name} is in the query; a POST takes its parameters from the body.`,
      });
}
