// Of a page that a caller sent, a usage row has the hash and the length only (src/render/usage-texts.ts).
import { number } from './format.ts';

const sources = ['html', 'markdown'] as const;
const digest = /^sha256:([0-9a-f]{64}), (\d+) characters$/;

/** "html (sha256 1a2b3c4d…, 1,234 characters)", if the request has a page of its own. */
export function sentPage(parameters: Readonly<Record<string, string>>): string | undefined {
  const source = sources.find((name) => parameters[name] !== undefined);
  return source && `${source} (${readable(parameters[source] ?? '')})`;
}

/** The value of a parameter, for people. */
export const readable = (value: string): string =>
  value.replace(
    digest,
    (_, hex: string, count: string) => `sha256 ${hex.slice(0, 8)}…, ${number(Number(count))} characters`,
  );

/** The parameters that a form can be filled with: the text itself is stored nowhere. */
export const withoutSentPage = (parameters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !sources.some((source) => source === name)));
