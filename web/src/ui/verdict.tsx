// The verdict of a capture: badges for its codes, and the filter of both lists.
import type { Verdict, VerdictCode, VerdictFilter } from '../api.ts';
import { Select } from './field.tsx';
import { Badge } from './surface.tsx';

const meanings: Readonly<Record<VerdictCode, { label: string; means: string }>> = {
  http_error: { label: 'HTTP error', means: 'The page returned a status of 400 or higher.' },
  blank: { label: 'Blank', means: 'The picture is empty.' },
  bot_wall: { label: 'Bot wall', means: 'The picture shows a bot check instead of the page.' },
  login_wall: { label: 'Login wall', means: 'The page redirected to a sign-in page.' },
  banner_left: { label: 'Banner left', means: 'A cookie banner could not be removed.' },
  cut: { label: 'Cut', means: 'The picture does not show the whole page.' },
  images_failed: { label: 'Images failed', means: 'An image in the picture did not load.' },
  unfinished: { label: 'Unfinished', means: 'The page was still loading or working when its picture was taken.' },
};

const codes = Object.keys(meanings) as VerdictCode[];

const isBad = (code: VerdictCode) => code === 'http_error' || code === 'blank' || code === 'bot_wall';

/** Shows nothing if the verdict is ok. */
export const VerdictBadges = ({ verdict }: { verdict: Verdict | null }) =>
  verdict?.codes.map((code) => (
    <span key={code} title={meanings[code].means}>
      <Badge tone={isBad(code) ? 'danger' : 'warn'}>{meanings[code].label}</Badge>
    </span>
  ));

/** Each code with its meaning. */
export function VerdictDetails({ verdict }: { verdict: Verdict }) {
  if (verdict.ok) return <p className="text-ink-2">ok</p>;
  return (
    <ul className="flex flex-col gap-1">
      {verdict.codes.map((code) => (
        <li key={code}>
          <code className="mr-2 font-mono text-xs">{code}</code>
          <span className="text-ink-2">{meanings[code].means}</span>
        </li>
      ))}
    </ul>
  );
}

const filters: readonly VerdictFilter[] = ['any', 'ok', ...codes];

export const verdictFilterOf = (search: URLSearchParams): VerdictFilter | undefined =>
  filters.find((filter) => filter === search.get('verdict'));

/** The same query with another filter, or without one. */
export function withVerdict(search: URLSearchParams, filter: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (filter === '') next.delete('verdict');
  else next.set('verdict', filter);
  return next;
}

export function VerdictSelect({
  value,
  onChange,
}: {
  value: VerdictFilter | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label="Verdict"
      className="w-44"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">All verdicts</option>
      <option value="ok">Ok</option>
      <option value="any">Any code</option>
      {codes.map((code) => (
        <option key={code} value={code}>
          {meanings[code].label}
        </option>
      ))}
    </Select>
  );
}
