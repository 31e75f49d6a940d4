export { type AsJson, Tintype } from './client.ts';
export { type ClientErrorCode, TintypeError, type TintypeErrorDetails } from './errors.ts';
export * from './generated.ts';
export type {
  Batch,
  BatchInput,
  BatchWithJobs,
  CreateOptions,
  EndedJob,
  Job,
  JobInput,
  JobKind,
  JobList,
  JobMetadata,
  JobRequest,
  ListedJob,
  PendingJob,
  WaitOptions,
} from './jobs.ts';
export type {
  ContentRequest,
  OgRequest,
  PdfRequest,
  ScreenshotRequest,
  TemplateName,
} from './requests.ts';
export { type RateLimit, Result } from './result.ts';
export {
  type LinkOptions,
  type MetaTag,
  metaHtml,
  metaTags,
  type OgImage,
  type OgImageOptions,
  type ScreenshotLink,
  type Signer,
  type SignerOptions,
  signer,
} from './signer.ts';
export type { RequestOptions, TintypeOptions } from './transport.ts';
