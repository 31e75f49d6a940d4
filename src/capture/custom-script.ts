// customJS: the body of an async function, run in the page's own world so that it can use the page's variables.
import { Problem } from '../kernel/errors.ts';
import { AnswerTooLong } from './cdp.ts';
import { withoutLogin } from './login.ts';
import type { Page } from './page.ts';

export async function runCustomScript(page: Page, body: string): Promise<void> {
  const document = page.frame.current;
  try {
    const answer = page.send('Runtime.evaluate', {
      // The line breaks keep a comment at the end of the code from hiding ours. The return value is ignored.
      expression: `(async () => { await (async () => {\n${body}\n})() })()`,
      awaitPromise: true,
      userGesture: true,
    });
    const { exceptionDetails } = await page.clock.pace(answer);
    if (exceptionDetails) throw failed(page, exceptionDetails);
  } catch (error) {
    page.deadline.throwIfOver();
    if (error instanceof AnswerTooLong) throw failed(page, { text: 'it threw an exception with a text of megabytes' });
    if (error instanceof Problem || page.session.signal.aborted) throw error;
    // The script may have navigated the page: the response is lost with the document, and that is not a failure.
    if (page.frame.current === document && !page.frame.leaving) throw error;
  }
}

type Details = {
  readonly text: string;
  readonly exception?: { readonly description?: string; readonly value?: unknown };
};

function failed({ request }: Page, { text, exception }: Details): Problem {
  const said =
    exception?.description?.slice(0, 10_000).split('\n    at ')[0] ??
    (exception?.value === undefined ? text : String(exception.value));
  // A script can read the cookies of the request, and a page may show its headers.
  const shown = withoutLogin(said.slice(0, 10_000), request).slice(0, 500);
  return new Problem('custom_js_failed', { parameter: 'customJS', message: `customJS failed: ${shown}` });
}
