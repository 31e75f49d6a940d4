import type { ContentMetadata, OgMetadata, ScreenshotMetadata, Usage } from './generated.ts';
import { createBatches, createJobs } from './jobs.ts';
import { bodyOf, type ContentRequest, type OgRequest, type PdfRequest, type ScreenshotRequest } from './requests.ts';
import { Result } from './result.ts';
import { createTransport, type RequestOptions, readJson, type Send, type TintypeOptions } from './transport.ts';

/** Ask for facts about the result, with a link to it, instead of its bytes. */
export type AsJson = { readonly response: 'json' };

type Bytes = { readonly response?: undefined };

/**
 * A client of a Tintype server.
 *
 *     const tintype = new Tintype({ baseUrl: 'https://shots.example.com', apiKey: process.env.TINTYPE_KEY });
 *     const shot = await tintype.screenshot({ url: 'https://example.com/', fullPage: true });
 *     await writeFile('page.png', shot.stream);
 */
export class Tintype {
  readonly jobs: ReturnType<typeof createJobs>;
  readonly batches: ReturnType<typeof createBatches>;
  readonly #send: Send;

  constructor(options: TintypeOptions) {
    this.#send = createTransport(options);
    this.jobs = createJobs(this.#send);
    this.batches = createBatches(this.#send);
  }

  /** A picture of a page, of HTML or of Markdown. */
  screenshot(request: ScreenshotRequest & AsJson, options?: RequestOptions): Promise<ScreenshotMetadata>;
  screenshot(request: ScreenshotRequest & Bytes, options?: RequestOptions): Promise<Result>;
  screenshot(request: object, options?: RequestOptions): Promise<ScreenshotMetadata | Result> {
    return this.#render('screenshot', request, options);
  }

  /** A PDF of a page, of HTML or of Markdown. */
  pdf(request: PdfRequest & AsJson, options?: RequestOptions): Promise<ScreenshotMetadata>;
  pdf(request: PdfRequest & Bytes, options?: RequestOptions): Promise<Result>;
  pdf(request: object, options?: RequestOptions): Promise<ScreenshotMetadata | Result> {
    return this.#render('screenshot', { ...request, format: 'pdf' }, options);
  }

  /** An Open Graph image from a template. */
  og(request: OgRequest & AsJson, options?: RequestOptions): Promise<OgMetadata>;
  og(request: OgRequest & Bytes, options?: RequestOptions): Promise<Result>;
  og(request: object, options?: RequestOptions): Promise<OgMetadata | Result> {
    return this.#render('og', request, options);
  }

  /** The text of a page: Markdown, plain text or HTML. */
  content(request: ContentRequest & AsJson, options?: RequestOptions): Promise<ContentMetadata>;
  content(request: ContentRequest & Bytes, options?: RequestOptions): Promise<Result>;
  content(request: object, options?: RequestOptions): Promise<ContentMetadata | Result> {
    return this.#render('content', request, options);
  }

  /** What the account has used in this month, and what is left. */
  async usage(options?: RequestOptions): Promise<Usage> {
    return readJson(await this.#send({ method: 'GET', path: '/v1/usage' }, options));
  }

  /** By POST, because some values are secret or too long for an address. It reads and fills the same cache as a GET. */
  async #render<Metadata>(endpoint: string, request: object, options?: RequestOptions): Promise<Metadata | Result> {
    const body = bodyOf(request);
    const response = await this.#send({ method: 'POST', path: `/v1/${endpoint}`, body }, options);
    return body.response === 'json' ? readJson<Metadata>(response) : new Result(response);
  }
}
