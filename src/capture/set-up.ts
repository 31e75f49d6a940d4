// What each target of a page gets before it runs: who decides about its requests, and what it sees of the browser.
import type { Cleaner, CleanPage, CleanRun } from './clean/clean-types.ts';
import { emulate, introduce, isEmulatedInFrames } from './emulation.ts';
import { intercept, type RequestHandler } from './interception.ts';
import { loginHeaders } from './login-headers.ts';
import type { MarkdownConverter } from './markdown/converter.ts';
import type { Page } from './page.ts';
import { sentDocument } from './sent-document.ts';
import { setUpTargets, type TargetSetUp } from './targets.ts';

/** Sets up the page and, where it must hold there too, its frames of other sites and its workers. */
export async function setUpPage(
  page: Page,
  markdown: MarkdownConverter,
  cleaner: Cleaner | undefined,
): Promise<CleanRun | undefined> {
  const { request, session, tab } = page;
  const { connection, version } = tab.browser;
  const answers = await sentDocument(page, markdown);
  const login = loginHeaders(request);
  const setUpFor = (blocking?: RequestHandler): TargetSetUp => {
    // The one that adds headers is asked last: it decides about each request it is asked for.
    const handlers = (last?: RequestHandler) => [answers, blocking, last].filter((handler) => handler !== undefined);
    return {
      frame: (target) =>
        Promise.all([
          login?.initiators.watchFrame(target),
          intercept(target, handlers(login?.frame)),
          ...emulate(target, request, version),
        ]),
      worker: (target) => Promise.all([login?.initiators.watchWorker(target), ...introduce(target, request, version)]),
      serviceWorker: (target) =>
        Promise.all([intercept(target, handlers(login?.serviceWorker)), ...introduce(target, request, version)]),
    };
  };
  const cleaning = await clean(page, cleaner, setUpFor);
  if (cleaning !== undefined) return cleaning;
  const setUp = setUpFor();
  if (login !== undefined || isEmulatedInFrames(request))
    await setUpTargets(session, (id) => connection.session(id), setUp);
  else await setUp.frame(session);
  return undefined;
}

async function clean(
  page: Page,
  cleaner: Cleaner | undefined,
  setUp: CleanPage['setUp'],
): Promise<CleanRun | undefined> {
  const wants = { ads: page.request.blockAds, cookies: page.request.blockCookies };
  if (!wants.ads && !wants.cookies) return undefined;
  if (!cleaner) {
    page.warnings.push('Nothing was blocked: this server has no block lists.');
    return undefined;
  }
  const { session } = page;
  return cleaner.prepare(
    {
      url: page.request.url,
      send: session.send.bind(session),
      on: session.on.bind(session),
      session: (id) => page.tab.browser.connection.session(id),
      setUp,
    },
    wants,
  );
}
