import type { ErrorCode, PlanName, Verdict } from './generated.ts';

/** Codes of the client itself: no answer, no answer in time, or an answer that no Tintype server gives. */
export type ClientErrorCode = 'network_error' | 'timeout' | 'unexpected_response';

export type TintypeErrorDetails = {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly parameter?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly requiredPlan?: PlanName | undefined;
  readonly verdict?: Verdict | undefined;
  readonly cause?: unknown;
};

/** Every failure but the caller's own abort, which throws the reason of the signal. */
export class TintypeError extends Error {
  override readonly name = 'TintypeError';
  /** For programs. It does not change. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; 0 where there was no response. */
  readonly status: number;
  /** The parameter at fault, where one is. */
  readonly parameter: string | undefined;
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined;
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined;
  /** With `plan_required`: the lowest plan that has it. */
  readonly requiredPlan: PlanName | undefined;
  /** With `capture_rejected`: what was wrong with the capture. */
  readonly verdict: Verdict | undefined;

  constructor(details: TintypeErrorDetails) {
    super(details.message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? 0;
    this.parameter = details.parameter;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.requiredPlan = details.requiredPlan;
    this.verdict = details.verdict;
  }
}

/** Proxies answer with pages of their own; no error of the server is longer than this. */
const longestError = 64 * 1024;

export async function errorOf(response: Response): Promise<TintypeError> {
  const { status, headers } = response;
  const common = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(headers),
  };
  const text = await startOf(response).catch(() => '');
  const body = parse(text);
  if (body === undefined)
    return new TintypeError({
      ...common,
      code: 'unexpected_response',
      message: `The server answered ${status} without an error of Tintype. Is baseUrl right?`,
    });
  return new TintypeError({
    ...common,
    code: body.code as ErrorCode,
    message: body.error,
    parameter: body.parameter,
    requestId: body.requestId ?? common.requestId,
    requiredPlan: body.requiredPlan,
    verdict: body.verdict,
  });
}

type ErrorBody = {
  readonly error: string;
  readonly code: string;
  readonly parameter?: string;
  readonly requestId?: string;
  readonly requiredPlan?: PlanName;
  readonly verdict?: Verdict;
};

function parse(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.error === 'string' && typeof body.code === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

async function startOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > longestError) {
      await reader.cancel();
      break;
    }
  }
  return text;
}

/** `Retry-After` in seconds: a number, or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
