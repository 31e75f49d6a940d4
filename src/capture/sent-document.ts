// A page that the caller sent instead of an address. It is the answer to the request for the main document, so that it has
// an ordinary origin; everything it loads goes through the egress guard.
import type { CaptureRequest } from './capture-request.ts';
import type { RequestHandler } from './interception.ts';
import type { MarkdownConverter } from './markdown/converter.ts';
import type { Page } from './page.ts';

/**
 * The address of a page without `baseUrl`. Browsers treat *.localhost as a secure context and let it load http and https.
 * The guard refuses the name, so that relative links lead nowhere.
 */
export const sentDocumentUrl = 'http://page.localhost/';

export const isSent = ({ html, markdown }: Pick<CaptureRequest, 'html' | 'markdown'>): boolean =>
  html !== undefined || markdown !== undefined;

/** Answers the navigation to the page's address, and a reload of it, with the page. */
export async function sentDocument(page: Page, markdown: MarkdownConverter): Promise<RequestHandler | undefined> {
  const { request, deadline, tab } = page;
  const body =
    request.markdown === undefined
      ? request.html && Buffer.from(request.html)
      : await markdown.convert(request.markdown, deadline);
  if (!body) return undefined;
  let address: string | undefined;
  return {
    patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
    decide({ frameId, redirectedRequestId, request: { url, method } }) {
      if (frameId !== tab.frameId || redirectedRequestId !== undefined || method !== 'GET') return undefined;
      // As the browser spells it: it escapes other characters than we do.
      address ??= url;
      return url === address ? { action: 'answer', type: 'text/html; charset=utf-8', body } : undefined;
    },
  };
}
