// One render for the command line: no server, no key, no cache and no rate limit; validation and the egress guard are
// those of the API. The request is validated before anything is started, and only what it needs is started.
import type { CaptureRequest } from '../capture/parameters.ts';
import { isSent } from '../capture/sent-document.ts';
import type { Config } from '../config.ts';
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import { createLog } from '../kernel/log.ts';
import { highestPlan } from '../kernel/plans.ts';
import { rejectIf } from '../kernel/verdict.ts';
import { createCatalogue } from '../og/catalogue.ts';
import { createCardMaker } from '../og/og.ts';
import type { CardRequest } from '../og/og-types.ts';
import type { RenderOutput } from '../render/executor.ts';
import { resizeOf, resizePicture, withoutResize } from '../render/resize.ts';
import { type RequestParameters, validateOg, validateScreenshot } from '../render/validate.ts';
import type { Endpoint, Requester, ValidatedRequest } from '../render/validated-request.ts';
import { openCapturer, openEgress } from './renderers.ts';

/** The command line may use every parameter. */
const requester: Requester = { account: { id: 'command line', plan: highestPlan }, signed: false };
const log = createLog('silent');

export async function oneShot(
  config: Config,
  endpoint: Endpoint,
  parameters: RequestParameters,
): Promise<RenderOutput> {
  const egress = openEgress(config, log);
  const { templatesDir, planLimits: plans } = config;
  const request =
    endpoint === 'og'
      ? validateOg(parameters, requester, { plans, cards: await createCatalogue({ egress, templatesDir }) })
      : validateScreenshot(parameters, requester, { plans, egress, secret: '' });
  const { failOn, warnings } = request;
  try {
    const output = await render(request, config, egress);
    rejectIf(output.verdict, failOn);
    return { ...output, warnings: [...warnings, ...output.warnings] };
  } finally {
    await egress.stop();
  }
}

async function render({ job, timeoutMs }: ValidatedRequest, config: Config, egress: Egress): Promise<RenderOutput> {
  if (job.kind === 'og') return paint(job.request, timeoutMs, config, egress);
  const output = await capture(withoutResize(job.request), timeoutMs, config, egress);
  const resize = resizeOf(job.request);
  return resize ? { ...output, ...(await resizePicture(output, resize, job.request.quality, timeoutMs)) } : output;
}

async function capture(
  request: CaptureRequest,
  timeoutMs: number,
  config: Config,
  egress: Egress,
): Promise<RenderOutput> {
  const { capturer } = await openCapturer({ ...config, rendersAtOnce: 1, pagesAtOnce: 1 }, egress, log);
  try {
    // From here on: the start of the browser does not count toward the timeout.
    const deadline = new Deadline(timeoutMs);
    if (!isSent(request)) await egress.resolve(new URL(request.url), deadline.signal);
    return await capturer.capture(request, deadline);
  } finally {
    await capturer.stop();
  }
}

async function paint(
  request: CardRequest,
  timeoutMs: number,
  { templatesDir }: Config,
  egress: Egress,
): Promise<RenderOutput> {
  const cards = await createCardMaker({ egress, templatesDir, log });
  try {
    return await cards.render(request, new Deadline(timeoutMs));
  } finally {
    await cards.stop();
  }
}
