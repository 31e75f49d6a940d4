// One render in one tab, stage by stage: before load → load → settle → wait → script → delay → capture.
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { Turn } from '../kernel/turn.ts';
import type { VerdictCode } from '../kernel/verdict.ts';
import { prepare } from './before-load.ts';
import { networkBudget } from './budgets.ts';
import type { CaptureRequest } from './capture-request.ts';
import type { PageScript } from './capture-types.ts';
import { ProtocolError } from './cdp.ts';
import type { Cleaner, CleanRun } from './clean/clean-types.ts';
import { Crash } from './crash.ts';
import { runCustomScript } from './custom-script.ts';
import { waitForElement } from './element.ts';
import { documentFailure } from './failures.ts';
import { expandPage } from './full-page.ts';
import { InPageError } from './in-page.ts';
import type { Facts } from './in-page-types.ts';
import type { MarkdownConverter } from './markdown/converter.ts';
import { Page } from './page.ts';
import { type Print, printPage } from './pdf.ts';
import { waitForSelector } from './rest.ts';
import { type Screenshot, takeScreenshot } from './screenshot.ts';
import { isSent } from './sent-document.ts';
import { setUpPage } from './set-up.ts';
import type { Tab } from './tab.ts';
import { pauseWhileWaiting } from './waiting.ts';
import { wallOf } from './walls.ts';
import { codesOf, warningsOf } from './warnings.ts';

export type Rendered<T> = {
  readonly facts: Facts;
  readonly warnings: readonly string[];
  readonly codes: readonly VerdictCode[];
  readonly result: T;
};

/** What is done with a page at rest. */
export type PageWork<T> = {
  /** It is waited for. */
  readonly selector: string | undefined;
  take(page: Page, cleaning?: CleanRun): Promise<T>;
};

export const picture = (request: CaptureRequest): PageWork<Screenshot | Print> => ({
  selector: request.selector,
  take: (page, cleaning) => (request.format === 'pdf' ? printPage(page, cleaning) : takeScreenshot(page, cleaning)),
});

export const evaluating = <T>({ expression, selector }: PageScript): PageWork<T> => ({
  selector,
  async take(page, cleaning) {
    await expandPage(page, cleaning);
    return page.run<T>(expression);
  },
});

export type RenderOptions = {
  /** Without one, blockAds and blockCookies only add a warning. */
  readonly cleaner?: Cleaner;
};

/** What renders share. */
export type RenderTools = RenderOptions & { readonly markdown: MarkdownConverter };

export async function renderPage<T>(
  tab: Tab,
  request: CaptureRequest,
  deadline: Deadline,
  turn: Turn,
  options: RenderTools,
  work: PageWork<T>,
): Promise<Rendered<T>> {
  const page = new Page(tab, request, deadline);
  try {
    return await runStages(page, turn, options, work);
  } catch (error) {
    if (error instanceof Problem && error.parameter === 'url' && isSent(request)) throw aboutSentPage(error, request);
    // The renderer died before it had the page, so the page is not to blame.
    if (error instanceof Crash && !page.frame.current) throw new Crash('browser', 'A blank page died.');
    // The browser rejected an ordinary command, or our own script threw: the render is retried.
    if (error instanceof ProtocolError || error instanceof InPageError) throw new Crash('renderer', error.message);
    throw error;
  }
}

/** A page that was sent led to another one that cannot be captured: the error names what the caller gave. */
function aboutSentPage({ code, message }: Problem, { html }: CaptureRequest): Problem {
  const parameter = html === undefined ? 'markdown' : 'html';
  return new Problem(code, { parameter, message: message.replace(/^url /, `${parameter} `) });
}

async function runStages<T>(
  page: Page,
  turn: Turn,
  { cleaner, markdown }: RenderTools,
  work: PageWork<T>,
): Promise<Rendered<T>> {
  const { tab, request, deadline } = page;
  tab.outlet.open(networkBudget, deadline.signal);
  const [cleaning] = await page.race(
    Promise.all([setUpPage(page, markdown, cleaner), checkSelectors(page, work.selector), prepare(tab, request)]),
  );

  deadline.step('load');
  await pauseWhileWaiting(page, turn, () => bringToRest(page, cleaning, work.selector));

  deadline.step('capture');
  const result = cleaning ? await takeClean(page, cleaning, work) : await page.follow(() => work.take(page));
  if (cleaning?.bannerLeft) {
    page.warnings.push('A cookie banner was found but could not be removed.');
    page.codes.add('banner_left');
  }
  const facts = await page.facts();
  const wall = wallOf(facts.wall, facts.status);
  return {
    facts,
    result,
    warnings: [...new Set([...page.warnings, ...warningsOf(facts, wall, tab.outlet)])],
    codes: [...page.codes, ...codesOf(facts, wall, request.url)],
  };
}

/** Loads the page and does everything up to its picture. */
async function bringToRest(page: Page, cleaning: CleanRun | undefined, selector: string | undefined): Promise<void> {
  const { request, deadline } = page;
  await navigate(page);
  await settleCleanly(page, cleaning);

  if (request.waitForSelector !== undefined) {
    deadline.step('wait');
    await waitForSelector(page, request.waitForSelector);
    await page.rest();
  }
  if (request.customJS !== undefined) {
    deadline.step('script');
    await runCustomScript(page, request.customJS);
    await page.rest();
  }
  if (request.delay > 0) {
    deadline.step('delay');
    await page.clock.pace(page.race(deadline.pause(request.delay)));
  }
  if (selector !== undefined) {
    deadline.step('wait');
    await waitForElement(page, selector);
  }
}

/** A banner in a frame may appear at any time. */
const mostTakes = 3;

/** A banner that appeared during the capture may be in the picture: then it is taken again, if there is time. */
async function takeClean<T>(page: Page, cleaning: CleanRun, work: PageWork<T>): Promise<T> {
  const { deadline } = page;
  for (let takes = 1; ; takes++) {
    const before = deadline.remaining();
    await page.race(cleaning.beforeCapture(deadline));
    const result = await page.follow(() => work.take(page, cleaning));
    const took = before - deadline.remaining();
    if (deadline.remaining() < 2 * took || !(await page.race(cleaning.bannerCame(deadline)))) return result;
    if (takes === mostTakes) {
      page.warnings.push('A cookie banner appeared while the picture was taken.');
      page.codes.add('banner_left');
      return result;
    }
  }
}

const crashReportMs = 500;
const errorPageMs = 1000;

async function navigate(page: Page): Promise<void> {
  const { outlet } = page.tab;
  const { errorText, isDownload } = await page.send('Page.navigate', { url: page.request.url });
  if (errorText === undefined) return;
  // A network interface of this machine was added or removed (a container started), and the browser dropped all
  // connections: the page is not to blame.
  if (/NETWORK_CHANGED/.test(errorText)) throw new Crash('browser', 'The network of this machine changed.');
  // Our proxy always runs: a browser that cannot reach it has restarted its network process without the proxy settings.
  if (/PROXY_CONNECTION_FAILED/.test(errorText)) {
    page.tab.browser.services.miss('network');
    throw new Crash('browser', 'The browser cannot reach its proxy.');
  }
  // If the outlet saw no failure, the renderer may have died. The browser reports that a moment later.
  const explained = isDownload || outlet.failures.length > 0 || outlet.refusals.length > 0;
  if (!explained) await page.race(sleep(crashReportMs));
  // A host that the key may not see comes first: the browser reports where it was led a moment after the failure.
  if (page.request.allowedHosts !== undefined && page.frame.current === undefined)
    await page.race(Promise.race([page.frame.changed(), sleep(errorPageMs)]));
  throw documentFailure(page.request.url, errorText, outlet);
}

/** Opting out of a banner takes time and runs while the page loads, before its clock is ours. */
async function settleCleanly(page: Page, cleaning: CleanRun | undefined): Promise<void> {
  if (cleaning) {
    await page.race(page.loaded());
    await page.race(cleaning.afterLoad(page.deadline));
  }
  // An opt-out may have reloaded the page.
  await page.settled();
}

/** Checked on the blank page: an invalid selector is the caller's mistake on every page. */
async function checkSelectors(page: Page, ofWork: string | undefined): Promise<void> {
  const { waitForSelector, hide } = page.request;
  for (const [name, selector] of Object.entries({ waitForSelector, selector: ofWork, hide })) {
    if (selector === undefined) continue;
    const { exceptionDetails } = await page.send('Runtime.evaluate', {
      expression: `document.querySelector(${JSON.stringify(selector)})`,
    });
    if (exceptionDetails)
      throw invalidParameter(name, `${name} must be a valid CSS selector${name === 'hide' ? ' list' : ''}.`);
  }
}
