// Registers routes of the route map, with the types that the map gives them.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { BodyOf, ParamsOf, QueryOf, RouteName, Routes } from './routes.ts';

/** The fields of a body as they arrive: their names are known, their values are not checked. */
export type Unchecked<Body> = { readonly [Name in keyof Body]?: unknown };

type Types<R extends RouteName> = { Params: ParamsOf<R>; Querystring: QueryOf<R>; Body: Unchecked<BodyOf<R>> };
export type RouteRequest<R extends RouteName> = FastifyRequest<Types<R>>;

/** A JSON answer is returned; everything else is sent through `reply`. */
type Answered<R extends RouteName> = Routes[R] extends { answer: infer Answer } ? Answer : FastifyReply;
type Handler<R extends RouteName> = (request: RouteRequest<R>, reply: FastifyReply) => Promise<Answered<R>>;

export type RegisterRoute = <R extends RouteName>(route: R, handler: Handler<R>) => void;

export const registerOn =
  (app: FastifyInstance): RegisterRoute =>
  (route, handler) => {
    const [method, url] = route.split(' ') as [HTTPMethods, string];
    app.route<Types<typeof route>>({ method, url, handler });
  };
