// Waits for the load event, but not for a page whose remaining files do not arrive: that one is captured as it is.
import type { Deadline } from '../kernel/deadline.ts';
import { captureMs, captureShare, shortCaptureShare, silentLoadMs } from './budgets.ts';
import type { MainDocument } from './main-frame.ts';
import type { Page } from './page.ts';

const lookEveryMs = 200;
/** A new document may be replaced at once: a page that reloads itself for ever never gets this old. */
const thereAfterMs = 500;
const busyMs = 500;

/** The time, by performance.now(), at which waits end so that there is time left for the capture. */
export function captureBy({ startedAt, endsAt }: Deadline): number {
  const all = endsAt - startedAt;
  return endsAt - Math.max(all * captureShare, Math.min(captureMs, all * shortCaptureShare));
}

/** Waits until the document has loaded or was replaced. Stops the load where the rest does not arrive. */
export async function boundLoad(page: Page, document: MainDocument): Promise<void> {
  const { deadline, frame, tab } = page;
  const nextLook = () => {
    const untilLate = captureBy(deadline) - performance.now();
    return untilLate > 0 ? Math.min(lookEveryMs, untilLate + 1) : lookEveryMs;
  };
  while (!(await deadline.within(nextLook(), document.loaded))) {
    const now = performance.now();
    if (frame.leaving || frame.current !== document || now - document.enteredAt < thereAfterMs) continue;
    const late = now >= captureBy(deadline);
    const silent = now - Math.max(tab.outlet.activeAt, document.enteredAt) >= silentLoadMs;
    if (!late && !silent) continue;
    // Without a body there is nothing to capture. A document that is still being parsed must have visible content.
    const isThere = late
      ? 'document.body !== null'
      : 'document.body !== null && (document.readyState !== "loading" || tintype.hasContent())';
    const there = await page.race(document.world.run<boolean>(isThere).catch(() => false));
    // A page that takes long to respond is computing; that explains the silence on the network.
    const isBusy = performance.now() - now > busyMs;
    if (there && (late || !isBusy)) await endLoad(page, document);
  }
}

async function endLoad(page: Page, document: MainDocument): Promise<void> {
  const missing = await page.race(missingFiles(page));
  await page.send('Page.stopLoading');
  await page.race(document.world.call('endLoad').catch(() => {}));
  const seconds = Math.round((performance.now() - document.enteredAt) / 1000);
  page.warnings.push(`The page was still loading after ${seconds} s and was captured as it was${missing}.`);
}

/** Files that the browser has requested without a response. */
async function missingFiles(page: Page): Promise<string> {
  const { frameTree } = await page.session.send('Page.getResourceTree');
  const [first, ...more] = frameTree.resources.filter(({ mimeType }) => mimeType === '').map(({ url }) => url);
  if (first === undefined) return '';
  const name = first.length > 120 ? `${first.slice(0, 119)}…` : first;
  return `: ${name}${more.length > 0 ? ` and ${more.length} more` : ''} did not load`;
}
