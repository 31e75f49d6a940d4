// The HTTP server: the id, the log line, the metrics and the usage record of every request, and one shape of errors.
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Problem } from '../kernel/errors.ts';
import { newRequestId } from '../kernel/request-id.ts';
import { pacedServer } from './arrivals.ts';
import { leaveBodies } from './body-reader.ts';
import { countSent } from './bytes-sent.ts';
import { registerCache } from './cache.ts';
import { identify } from './caller.ts';
import { registerCompression } from './compression.ts';
import { registerCors } from './cors.ts';
import type { HttpDependencies } from './dependencies.ts';
import { registerDocs } from './docs/docs.ts';
import { registerFiles } from './files.ts';
import { registerHealth } from './health.ts';
import { registerJobs } from './jobs.ts';
import { registerMcp } from './mcp.ts';
import { registerOg } from './og.ts';
import { registerPageEndpoint } from './page-endpoint.ts';
import { rateHeaders } from './rate-headers.ts';
import { rawError, sendProblem } from './reply.ts';
import { pathOf } from './request-context.ts';
import { recordRequest } from './request-record.ts';
import { registerSites } from './sites.ts';
import { registerTemplates } from './templates.ts';
import { registerUsageOfMonth } from './usage.ts';

/** What browsers and proxies accept. Longer texts are sent by POST. */
const longestUrl = 64 * 1024;
/** Larger than the longest URL and all headers, so that most of what is too long gets the error that says so. */
const maxHeaderBytes = 384 * 1024;

/** All headers together, without the request line. Parsers of cookies, ranges and tags read no more than this. */
const maxOtherHeaders = 32 * 1024;
/** Characters of a path that is looked up: the router decodes and compares it several times. */
const longestRoutedPath = 2000;

const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

export async function createServer(dependencies: HttpDependencies): Promise<FastifyInstance> {
  const { log } = dependencies;
  const app = Fastify({
    logger: false,
    genReqId: newRequestId,
    trustProxy: dependencies.trustProxy.length > 0 ? [...dependencies.trustProxy] : false,
    bodyLimit: 64 * 1024,
    // While stopping we send our own 503, which has the shape of every error.
    return503OnClosing: false,
    // Node's own 400 for a request without Host has no body; onRequest below sends ours.
    http: { maxHeaderSize: maxHeaderBytes, requireHostHeader: false },
    serverFactory: pacedServer((url) => url === '/healthz' || url === '/readyz'),
    // Disconnects a client that sends its headers byte by byte.
    requestTimeout: 30_000,
    // Disconnects a client that does not read, after twice this time. The longest render is silent for a minute.
    connectionTimeout: 75_000,
    // When the server closes, all requests have ended. The connections that are left were opened by browsers in advance:
    // Node does not count them as idle, and would wait for them up to a minute.
    forceCloseConnections: true,
    // The only hook before the router. A path that is too long is not looked up, and onRequest below sends the error.
    rewriteUrl: ({ url = '/' }) => (isPathTooLong(url) ? '/' : url),
    // kernel/parameters.ts reads the raw query, and refuses what other parsers guess at.
    routerOptions: { querystringParser: () => ({}) },
    // A path that cannot be decoded fails before any hook.
    frameworkErrors: (error, request, bare) => {
      const reply = bare as FastifyReply;
      reply.raw.once('close', () => recordRequest(request, reply, dependencies));
      sendProblem(prepare(request, reply), reply.header('x-request-id', request.id), error, log);
    },
    clientErrorHandler: (error, socket) => {
      if (socket.writable && error.code !== 'ECONNRESET')
        socket.write(rawError(unreadable(error.code), newRequestId()));
      socket.destroy();
    },
  });

  app.decorateRequest('context');
  leaveBodies(app);
  // A callback and not a promise, which is faster: there is nothing to wait for.
  app.addHook('onRequest', (request, reply, next) => {
    prepare(request, reply);
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    dependencies.requests.begin(request);
    // Not onResponse, which is never called if the client leaves early; 'close' always is.
    reply.raw.once('close', () => {
      dependencies.requests.end(request);
      recordRequest(request, reply, dependencies);
    });
    if (lacksHost(request)) return next(new Problem('bad_request', { message: 'The request has no Host header.' }));
    if (request.originalUrl !== request.url) return next(new Problem('uri_too_long'));
    if (request.url.length > longestUrl) return next(tooLong());
    if (headersLength(request) > maxOtherHeaders) return next(new Problem('headers_too_large'));
    const refused = dependencies.stopping() && !healthPaths.has(pathOf(request));
    next(refused ? new Problem('shutting_down') : undefined);
  });
  app.addHook('onSend', async (request, reply) => void reply.headers(await rateHeaders(request, dependencies)));
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error, log));

  registerCors(app);
  registerCompression(app);
  // After the compression: what is counted is what is kept.
  app.addHook('onSend', (request, reply, body, done) => {
    countSent(request, reply, body);
    done();
  });
  // Fastify would say of the result of a HEAD that its length is 0, where the response is a 304. It says nothing of streams.
  app.addHook('onSend', (request, reply, body, done) =>
    done(null, request.method === 'HEAD' && reply.statusCode === 304 ? Readable.from([]) : body),
  );
  const methods = knownMethods(app);
  registerPageEndpoint(app, 'screenshot', dependencies);
  registerPageEndpoint(app, 'content', dependencies);
  registerOg(app, dependencies);
  registerJobs(app, dependencies);
  registerSites(app, dependencies);
  registerTemplates(app, dependencies);
  registerMcp(app, dependencies);
  registerFiles(app, dependencies);
  registerCache(app, dependencies);
  registerUsageOfMonth(app, dependencies);
  registerHealth(app, dependencies);
  registerDocs(app, dependencies);

  app.setNotFoundHandler(async (request, reply) => {
    // Every response to a caller with a key has the rate-limit headers.
    await identify(request, dependencies).catch(() => {});
    const path = pathOf(request);
    const allowed = methods(path);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      // Routes match exact paths only: if the method is allowed, a trailing slash is too much, or a file does not exist.
      const message =
        allowed.length > 0 && path.endsWith('/')
          ? `There is nothing at ${path}; did you mean ${path.slice(0, -1)}?`
          : undefined;
      const problem = new Problem('not_found', message === undefined ? {} : { message });
      return sendProblem(request, reply, problem, log);
    }
    const message = `${request.method} is not allowed here; use ${allowed.join(' or ')}.`;
    return sendProblem(
      request,
      reply.header('allow', allowed.join(', ')),
      new Problem('method_not_allowed', { message }),
      log,
    );
  });
  return app;
}

function prepare(request: FastifyRequest, reply: FastifyReply): FastifyRequest {
  request.context ??= { startedAt: performance.now(), response: reply.raw };
  return request;
}

function isPathTooLong(url: string): boolean {
  if (url.length <= longestRoutedPath) return false;
  const query = url.indexOf('?');
  return query < 0 || query > longestRoutedPath;
}

const tooLong = (): Problem =>
  new Problem('uri_too_long', {
    message: `The request's URL has more than ${longestUrl / 1024} KB; use POST, which takes 4 MB.`,
  });

/** HTTP/1.1 needs one, HTTP/1.0 does not. */
const lacksHost = ({ raw }: FastifyRequest): boolean => raw.headers.host === undefined && raw.httpVersion === '1.1';

function headersLength({ raw }: FastifyRequest): number {
  let length = 0;
  for (const text of raw.rawHeaders) length += text.length;
  return length;
}

function unreadable(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  return new Problem('bad_request');
}

/** These match every path, also those where nothing is. */
const catchAlls = new Set(['/*', '/v1/*']);

/** Collects the routes as they are registered, to tell a wrong method from a wrong path. */
function knownMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (catchAlls.has(url)) return;
    const escaped = url.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&').replaceAll(/:[^/]+/g, '[^/]+');
    routes.push({ pattern: new RegExp(`^${escaped.replaceAll('*', '.*')}/?$`), methods: [method].flat() });
  });
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}
