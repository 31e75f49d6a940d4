import type { Verdict, VerdictCode } from './generated.ts';

export type RateLimit = {
  /** Renders a minute. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
};

/** A picture, a PDF, a card or a text: what its headers say, and its bytes, which are read once. */
export class Result {
  /** Such as `image/png`. */
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** `MISS` where it was rendered for this request. */
  readonly cache: 'HIT' | 'MISS';
  /** Milliseconds that the render took. */
  readonly renderTime: number;
  /** Whether the capture shows the page. A card has none. */
  readonly verdict: Verdict | undefined;
  /** What a person would want to know, in one text; undefined if there is nothing. */
  readonly warning: string | undefined;
  /** The code of the failure because of which an older result was returned, such as `target_unreachable`. */
  readonly stale: string | undefined;
  /** With `stale`: seconds since it was rendered. */
  readonly age: number | undefined;
  readonly etag: string | undefined;
  readonly cacheControl: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
  readonly #response: Response;

  constructor(response: Response) {
    const { headers } = response;
    const text = (name: string) => headers.get(name) ?? undefined;
    this.#response = response;
    this.headers = headers;
    this.contentType = text('content-type') ?? 'application/octet-stream';
    this.size = Number(text('x-image-size') ?? 0);
    this.cache = text('x-cache') === 'HIT' ? 'HIT' : 'MISS';
    this.renderTime = Number(text('x-render-time') ?? 0);
    this.verdict = verdictOf(text('x-verdict'));
    this.warning = text('x-warning');
    this.stale = text('x-stale');
    this.age = numberOf(text('age'));
    this.etag = text('etag');
    this.cacheControl = text('cache-control');
    this.rateLimit = rateLimitOf(headers);
    this.requestId = text('x-request-id');
  }

  /** The bytes as they arrive. */
  get stream(): ReadableStream<Uint8Array> {
    return this.#response.body ?? new Blob([]).stream();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#response.arrayBuffer());
  }

  blob(): Promise<Blob> {
    return this.#response.blob();
  }

  text(): Promise<string> {
    return this.#response.text();
  }
}

function verdictOf(header: string | undefined): Verdict | undefined {
  if (header === undefined) return undefined;
  return header === 'ok' ? { ok: true, codes: [] } : { ok: false, codes: header.split(',') as VerdictCode[] };
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const number = (name: string) => numberOf(headers.get(`x-ratelimit-${name}`) ?? undefined);
  const limit = number('limit');
  const remaining = number('remaining');
  const reset = number('reset');
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}
