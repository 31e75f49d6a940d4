// The waits between the load of a page and its picture that the server controls.
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { settleBounds } from './budgets.ts';
import type { CaptureRequest } from './capture-request.ts';
import type { SettleBounds } from './in-page-types.ts';
import { captureBy } from './load-bound.ts';
import type { Page, SettledDocument } from './page.ts';

/** The bounds of the waits inside the page. */
export const restBounds = (deadline: Deadline, until: CaptureRequest['waitUntil'] = 'settled'): SettleBounds => ({
  ...settleBounds,
  until,
  endsAt: Date.now() + captureBy(deadline) - performance.now(),
});

/** Waits until the page is at rest again after a change, within its bounds. */
export const waitForRest = (page: Page): Promise<void> => page.call('settle', restBounds(page.deadline));

/** After this long without network traffic a response is complete. */
const quietMs = 100;
const lookEveryMs = 25;

/** Waits for the responses that scripts of a settled page still wait for, and for what they change. Watched at the outlet, which costs the browser nothing. */
export async function waitForAnswers(page: Page, { document, settled }: SettledDocument): Promise<void> {
  if (!settled.actsLater) return;
  const { outlet } = page.tab;
  const since = document.loadedAt ?? performance.now();
  const end = Math.min(since + settleBounds.answers, captureBy(page.deadline));
  const isIdle = () => document.idle && !settled.showsFrame;
  const mayCome = () => performance.now() < end && page.frame.current === document && !isIdle();
  while (mayCome() && outlet.unanswered > 0) {
    const isComing = () => outlet.unanswered > 0 || performance.now() - outlet.activeAt < quietMs;
    while (mayCome() && isComing()) await page.race(sleep(lookEveryMs, page.deadline.signal));
    page.markChanged();
    await waitForRest(page);
  }
}

/** `waitUntil=networkidle`: waits for half a second without requests, as long as there is time. */
export async function waitForIdle(page: Page): Promise<void> {
  while (!page.frame.current?.idle && performance.now() < captureBy(page.deadline))
    await page.race(sleep(lookEveryMs, page.deadline.signal));
  if (!page.frame.current?.idle) page.warnings.push('The network was not idle before the capture had to begin.');
  page.markChanged();
  await waitForRest(page);
}
