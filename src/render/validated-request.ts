// A request whose parameters, plan, target and key were checked: everything a render needs to know.
import type { TextFormat } from '../content/content-types.ts';
import type { Plan, PlanName } from '../kernel/plans.ts';
import type { VerdictCode } from '../kernel/verdict.ts';
import type { RenderTask } from './executor.ts';
import type { Stale } from './freshness.ts';

export const endpoints = ['screenshot', 'og', 'content'] as const;
export type Endpoint = (typeof endpoints)[number];

/** The second one gives JSON, as `response=json` does: generated clients know one type of result for each path. */
export const resultPaths = (endpoint: Endpoint): readonly [string, string] => [
  `/v1/${endpoint}`,
  `/v1/${endpoint}.json`,
];

/** Who asks, and by what means. */
export type Requester = {
  readonly account: { readonly id: string; readonly plan: PlanName };
  /** None in the playground and on the command line. */
  readonly key?:
    | {
        readonly id: string;
        readonly allowedHosts: readonly string[] | null;
        readonly allowedTemplates: readonly string[] | null;
      }
    | undefined;
  /** By a signed link or for a card of a site, which anybody may open. */
  readonly signed: boolean;
  /** The site whose card it is. */
  readonly siteId?: string | undefined;
  /** When that link expires, in Unix milliseconds. */
  readonly linkExpiresAt?: number | undefined;
};

export type ValidatedRequest = {
  /** It was validated for this requester: the cache key, the plan and the allowed hosts are theirs. */
  readonly requester: Requester;
  readonly plan: Plan;
  /** The cache key. */
  readonly key: string;
  readonly task: RenderTask;
  /** Skip the read of the cache; the new result replaces the old. */
  readonly fresh: boolean;
  /** How old a cached result may be. */
  readonly maxAgeMs: number;
  readonly stale: Stale;
  /** A capture with one of these codes is an error. */
  readonly failOn?: readonly VerdictCode[] | undefined;
  /** Nobody waits for it: it goes behind everything that somebody waits for. `onStart` is called when it has a slot. */
  readonly background?: { readonly onStart: () => void };
  /** For the whole request. */
  readonly timeoutMs: number;
  readonly asJson: boolean;
  /** How a text is sent. */
  readonly text?: { readonly format: TextFormat; readonly maxChars: number } | undefined;
  /** The first fields of the JSON response: the url or the template, as it was sent. */
  readonly requested: Readonly<Record<string, string | null>>;
  /** The page is behind a login: nobody else may keep the answer. */
  readonly hasSecrets: boolean;
  /** The same request without its resizing: the picture that this one is made from. */
  readonly original?: ValidatedRequest;
  /** About the request itself, such as unknown parameters. */
  readonly warnings: readonly string[];
};
