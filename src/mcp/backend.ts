// Where the tools render: on this server, in the browser of this machine, or on a Tintype server elsewhere.
import type { Verdict } from '../kernel/verdict.ts';
import type { RequestParameters } from '../render/endpoint-tables.ts';
import type { Endpoint } from '../render/validated-request.ts';

/** The fields of `response=json` that the tools tell. */
export type ResultFacts = {
  /** Where the full file is: an http, https or file URL. */
  readonly imageUrl?: string | null;
  readonly format: string;
  readonly size?: number;
  readonly pages?: number;
  readonly page?: { readonly status: number; readonly finalUrl: string | null };
  readonly verdict?: Verdict;
  readonly warnings: readonly string[];
  readonly cachedAt?: number | string | null;
};

/** Those of a text. Except for the last two they are words of the page. */
export type TextResult = ResultFacts & {
  readonly title: string | null;
  readonly description: string | null;
  readonly byline: string | null;
  readonly siteName: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly content: string;
  readonly words: number;
  readonly truncated: boolean;
};

export type BackendResult = {
  readonly facts: ResultFacts;
  /** Reads the file. */
  bytes(): Promise<Buffer>;
};

export type TemplateFacts = {
  readonly name: string;
  readonly description: string;
  readonly variables: Readonly<
    Record<string, { readonly type: string; readonly doc: string; readonly default?: string }>
  >;
  readonly example: Readonly<Record<string, string>>;
};

export type BackendRequest = {
  readonly endpoint: Endpoint;
  readonly parameters: RequestParameters;
  /** A later part of a result that was asked for before: a backend without a cache remembers it. */
  readonly continues: boolean;
  readonly signal: AbortSignal;
};

export type Backend = {
  /** Whose pictures are encoded: one at a time for each account. */
  readonly accountId: string;
  /** Throws a Problem as the API would reply with it. */
  render(request: BackendRequest): Promise<BackendResult>;
  templates(signal: AbortSignal): Promise<readonly TemplateFacts[]>;
  /** Called with an error that is no Problem. */
  onDefect(error: unknown): void;
};
