// The entry point: a request becomes the bytes of an image or a PDF, or what a script finds in the page.
import { tmpdir } from 'node:os';
import type { Egress } from '../egress/egress-types.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { formats } from '../kernel/formats.ts';
import type { Log } from '../kernel/log.ts';
import { soleTurn, type Turn } from '../kernel/turn.ts';
import { verdictOf } from '../kernel/verdict.ts';
import type { BrowserPlace } from './browser.ts';
import type { CaptureRequest } from './capture-request.ts';
import type { Captured, Capturer, PageScript, ScriptResult } from './capture-types.ts';
import { Crash } from './crash.ts';
import { Fleet } from './fleet.ts';
import { encodeInTime, isOneColor } from './image.ts';
import { createMarkdownConverter } from './markdown/converter.ts';
import { paperPoints } from './paper.ts';
import type { Print } from './pdf.ts';
import { pdfFacts } from './pdf-facts.ts';
import type { Screenshot } from './screenshot.ts';
import { sentDocumentUrl } from './sent-document.ts';
import { evaluating, type PageWork, picture, type Rendered, type RenderOptions, renderPage } from './stages.ts';

export type CapturerOptions = RenderOptions & {
  readonly egress: Egress;
  /** From setup/find-browser.js. */
  readonly browser: BrowserPlace;
  /** How many pages are rendered at once; tabs for them are made in advance. */
  readonly concurrency: number;
  /** How many pages may exist, those that only wait included; `concurrency` if not given. */
  readonly pages?: number;
  readonly log: Log;
  /** The folder for browser profiles; the system's temporary folder if not given. */
  readonly folder?: string;
  /** A browser is replaced after this many renders; see budgets.ts. */
  readonly rotateAfter?: number;
};

export async function createCapturer(options: CapturerOptions): Promise<Capturer> {
  const { egress, concurrency, pages = concurrency, log } = options;
  const { browser: place, folder = tmpdir(), rotateAfter } = options;
  const fleet = new Fleet({ place, egress, concurrency, pages, folder, log, rotateAfter });
  const markdown = createMarkdownConverter();
  await fleet.start();

  /** Renders a page, and again if a browser or its renderer crashed. `finish` needs no browser. */
  async function render<T, R>(
    request: CaptureRequest,
    deadline: Deadline,
    turn: Turn,
    work: PageWork<T>,
    finish: (rendered: Rendered<T>) => Promise<R>,
  ): Promise<R> {
    const crashes: Crash[] = [];
    for (;;) {
      deadline.step('connect');
      try {
        const rendered = await fleet.use(deadline, turn, (tab, ownTurn) =>
          renderPage(tab, request, deadline, ownTurn, { ...options, markdown }, work),
        );
        return await finish(rendered);
      } catch (error) {
        // The deadline closes the page, and then every pending command fails; the deadline is the reason to report.
        if (deadline.signal.aborted) throw deadline.signal.reason;
        if (!(error instanceof Crash)) throw error;
        crashes.push(error);
        const again = worthAnotherTry(crashes);
        log.warn({ who: error.who }, `${error.message} ${again ? 'The render is retried.' : 'The render has failed.'}`);
        if (!again) throw failed(error);
      }
    }
  }

  async function stop(): Promise<void> {
    await Promise.all([fleet.stop(), markdown.stop()]);
  }

  return {
    capture: (request, deadline, turn = soleTurn) =>
      render(request, deadline, turn, picture(request), (rendered) => encoded(rendered, request, deadline)),
    evaluate: <T>(request: CaptureRequest, script: PageScript, deadline: Deadline, turn = soleTurn) =>
      render(request, deadline, turn, evaluating<T>(script), async (rendered) => evaluated(rendered)),
    health: () => fleet.health(),
    stop,
  };
}

/**
 * A page may crash its renderer once, or its browser if it was not alone there. Crashes that are not its fault are retried up to
 * three times: where many browsers are killed at once, the next one may be dying too.
 */
function worthAnotherTry(crashes: readonly Crash[]): boolean {
  const byPage = crashes.filter(({ who }) => who !== 'browser').length;
  return !crashes.some(({ final }) => final) && byPage < 2 && crashes.length - byPage < 3;
}

const failed = (last: Crash) =>
  new Problem('renderer_unavailable', {
    message: last.final ? last.message : 'The browser failed twice on this page. Try again in a minute.',
    cause: last,
  });

/** Encodes the picture; the browser is no longer needed. */
async function encoded(
  rendered: Rendered<Screenshot | Print>,
  request: CaptureRequest,
  deadline: Deadline,
): Promise<Captured> {
  deadline.step('encode');
  const { facts, result } = rendered;
  const isBlank = facts.blank && (result.kind === 'pdf' || (await deadline.race(showsOneColor(result))));
  const about = { type: formats[request.format].mediaType, ...aboutPage(rendered, isBlank) };
  if (result.kind === 'pdf')
    return { bytes: result.bytes, ...(pdfFacts(result.bytes) ?? paperPoints(request)), ...about };
  const bytes = await encodeInTime(result, request, deadline);
  return { bytes, width: result.width, height: result.height, ...about };
}

const evaluated = <T>(rendered: Rendered<T>): ScriptResult<T> => ({
  value: rendered.result,
  ...aboutPage(rendered, rendered.facts.blank),
});

const aboutPage = (
  { facts, warnings, codes }: Rendered<unknown>,
  isBlank: boolean,
): Pick<Captured, 'page' | 'verdict' | 'warnings'> => ({
  page: {
    status: facts.status,
    finalUrl: facts.url.startsWith(sentDocumentUrl) ? null : facts.url,
    title: facts.title,
  },
  verdict: verdictOf(isBlank ? [...codes, 'blank'] : codes),
  warnings: isBlank ? [...warnings, 'The page is blank.'] : warnings,
});

async function showsOneColor({ pieces }: Screenshot): Promise<boolean> {
  for (const piece of pieces) if (!(await isOneColor(piece))) return false;
  return true;
}
