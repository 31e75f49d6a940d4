// Every error of the API, in one table: its stable code, its status, the default text, the sentence for the documentation,
// and the seconds of Retry-After where they are always the same.
import type { PlanName } from './plans.ts';
import type { Verdict } from './verdict.ts';

type ErrorRow = { readonly status: number; readonly text: string; readonly doc: string; readonly retryAfter?: number };

export const errorTable = {
  missing_parameter: { status: 400, text: 'A required parameter is missing.', doc: 'A required parameter is missing.' },
  invalid_parameter: {
    status: 400,
    text: 'A parameter is not valid.',
    doc: 'A parameter is malformed, out of its range, empty or given twice; or there are more than 200, or a name has more than 200 characters.',
  },
  target_refused: {
    status: 400,
    text: 'This address is not public, so it is not captured.',
    doc: 'The target, one of its redirects, or an image of a card leads to an address that is not public.',
  },
  template_not_found: { status: 400, text: 'There is no such template.', doc: 'There is no template of that name.' },
  unsupported_content: {
    status: 400,
    text: 'The target is not a page that can be captured.',
    doc: 'The target answers with a download, a PDF or nothing at all, or its PDF would be larger than 64 MB.',
  },
  custom_js_failed: {
    status: 400,
    text: 'customJS failed.',
    doc: 'customJS threw an exception; the message carries its text.',
  },
  element_not_found: {
    status: 400,
    text: 'No element matches selector.',
    doc: 'No element matches `selector` once the page has settled.',
  },
  element_not_visible: {
    status: 400,
    text: 'The element that matches selector has no visible box.',
    doc: 'An element matches `selector`, but none that matches has a visible box.',
  },
  secret_in_url: {
    status: 400,
    text: 'Secrets are sent in the body of a POST.',
    doc: '`headers`, `cookies` or `basicAuth` in a GET: a URL is kept in logs and histories. Use POST.',
  },
  invalid_body: {
    status: 400,
    text: 'The body must be a JSON object.',
    doc: 'The body of a POST is not JSON, not an object, cut short, or has more than 10,000 values (a batch: 50,000) or 32 levels.',
  },
  bad_request: { status: 400, text: 'The request could not be read.', doc: 'The request is not readable HTTP.' },
  missing_api_key: {
    status: 401,
    text: 'Missing API key. Provide X-API-Key header or api_key query parameter.',
    doc: 'No key was given.',
  },
  invalid_api_key_format: {
    status: 401,
    text: 'Invalid API key format.',
    doc: 'The key is not sk_live_ followed by 32 letters or digits.',
  },
  invalid_api_key: { status: 401, text: 'Invalid or revoked API key.', doc: 'The key is unknown or revoked.' },
  invalid_signature: {
    status: 401,
    text: 'The signature of this link is wrong or has expired.',
    doc: 'A signed link has expired, its signature is wrong, or its key is unknown or revoked; the message says which, and `parameter` is `expires`, `signature` or `key_id`.',
  },
  not_signed_in: { status: 401, text: 'Please sign in.', doc: 'The dashboard needs a session.' },
  plan_required: {
    status: 403,
    text: 'Your plan does not include this.',
    doc: 'A parameter or endpoint needs a higher plan; `requiredPlan` names it.',
  },
  forbidden: { status: 403, text: 'This is not allowed.', doc: 'The key or the account may not do this.' },
  host_not_allowed: {
    status: 403,
    text: 'This key may not capture this host.',
    doc: 'The key is limited to certain hosts, and the target or a page it leads to is on another host.',
  },
  not_found: {
    status: 404,
    text: 'This URL does not exist.',
    doc: 'This URL does not exist; the job, batch or site is not of this account; or the ownership of the site is not proved.',
  },
  method_not_allowed: {
    status: 405,
    text: 'This method is not allowed here.',
    doc: 'The endpoint does not take this method.',
  },
  conflict: {
    status: 409,
    text: 'This exists already.',
    doc: 'The account exists already, the number of keys or the room for templates of the plan is used up, the site is registered already, an administrator would disable their own account, or a job that has begun would be canceled.',
  },
  idempotency_conflict: {
    status: 409,
    text: 'This Idempotency-Key was used with another body.',
    doc: 'The `Idempotency-Key` was used with another body in the last 24 hours.',
  },
  body_too_large: {
    status: 413,
    text: 'The body of the request is too large.',
    doc: 'The body of the request is larger than 4 MB (5 MB for a file of a template, 64 KB for most requests of the dashboard).',
  },
  uri_too_long: {
    status: 414,
    text: "The request's URL is too long.",
    doc: 'The URL has more than 64 KB (use POST), its path more than 2,000 characters, or the URL of a dashboard request more than 16 KB.',
  },
  unsupported_media_type: {
    status: 415,
    text: 'The body must be application/json.',
    doc: 'The body of a POST has another content type than application/json, or a Content-Encoding.',
  },
  range_not_satisfiable: {
    status: 416,
    text: 'The range is beyond the end of the result.',
    doc: 'A `Range` header asks for bytes beyond the end of the result.',
  },
  capture_rejected: {
    status: 422,
    text: 'The capture has a code that failOn names.',
    doc: 'The capture has a verdict code that `failOn` names; `verdict` holds the codes. Nothing is cached or counted.',
  },
  rate_limited: {
    status: 429,
    text: 'Too many renders.',
    doc: "The account's renders a minute are used up, or its jobs sent in a minute, or the pages a minute of a site; see `Retry-After`.",
  },
  quota_exceeded: {
    status: 429,
    text: 'The monthly allowance of renders is used up.',
    doc: "The account's renders of this month are used up; `Retry-After` says when the next month begins.",
  },
  queue_full: {
    status: 429,
    text: 'Too many jobs are waiting.',
    doc: 'As many jobs of the account are waiting as its plan allows, or they take all its room for jobs; see `Retry-After`.',
  },
  headers_too_large: {
    status: 431,
    text: 'The headers of the request are too large.',
    doc: 'The headers are larger than 32 KB.',
  },
  internal_error: {
    status: 500,
    text: 'Something went wrong on our side. Find the requestId in the log.',
    doc: 'A defect of the service; the log has it under the requestId.',
  },
  renderer_unavailable: {
    status: 502,
    text: 'No browser is available for this render. Try again shortly.',
    doc: 'No browser or render node is available, or the page crashed the browser twice or used too much memory.',
  },
  target_unreachable: {
    status: 502,
    text: 'The target could not be reached.',
    doc: 'The name was not found, the connection was refused, or TLS failed; the message says which.',
  },
  overloaded: {
    status: 503,
    text: 'Too many renders are waiting. Try again shortly.',
    doc: 'The queue is full, or the account has too much under way (bodies, large results, smaller pictures, templates, batches); see `Retry-After`.',
  },
  shutting_down: {
    status: 503,
    text: 'This server is shutting down. Try again shortly.',
    doc: 'The server is stopping; see `Retry-After`.',
    retryAfter: 2,
  },
  storage_unavailable: {
    status: 503,
    text: 'The database does not answer. Try again shortly.',
    doc: 'The database or, in a cluster, the queue does not answer; see `Retry-After`.',
  },
  provider_unavailable: {
    status: 503,
    text: 'The sign-in provider does not answer. Try again shortly, or sign in another way.',
    doc: 'The dashboard: the OpenID Connect provider does not answer, or its answer is wrong.',
  },
  render_timeout: {
    status: 504,
    text: 'The render took too long.',
    doc: 'The total time ran out; the message says in which step.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export type ProblemDetails = {
  message?: string;
  /** The parameter at fault. */
  parameter?: string;
  requiredPlan?: PlanName;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
  /** With capture_rejected: the verdict of the capture. */
  verdict?: Verdict;
  /** With render_timeout: the step in which the time ran out. */
  step?: string;
  /** What is wrong with each field of a form. */
  fields?: Readonly<Record<string, string>>;
  cause?: unknown;
};

/** An error that the caller may see. Any other error becomes a 500 without details. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly parameter: string | undefined;
  readonly requiredPlan: PlanName | undefined;
  readonly retryAfter: number | undefined;
  readonly verdict: Verdict | undefined;
  readonly step: string | undefined;
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(code: ErrorCode, details: ProblemDetails = {}) {
    // Without a stack: nobody reads it, and collecting it costs as much as the rest of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const row: ErrorRow = errorTable[code];
    super(details.message ?? row.text, { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Problem';
    this.code = code;
    this.status = row.status;
    this.parameter = details.parameter;
    this.requiredPlan = details.requiredPlan;
    this.retryAfter = details.retryAfter ?? row.retryAfter;
    this.verdict = details.verdict;
    this.step = details.step;
    this.fields = details.fields;
  }
}

export const invalidParameter = (parameter: string, message: string): Problem =>
  new Problem('invalid_parameter', { parameter, message });
