// What a capture is worth: badges where something keeps it from being the page, and the filter of both lists.
import type { Verdict, VerdictCode, VerdictFilter } from '../api.ts';
import { Select } from './field.tsx';
import { Badge } from './surface.tsx';

const meanings: Readonly<Record<VerdictCode, { label: string; means: string }>> = {
  http_error: { label: 'HTTP error', means: 'The page answered with 400 or more.' },
  blank: { label: 'Blank', means: 'There is nothing to see.' },
  bot_wall: { label: 'Bot wall', means: 'A bot check stands in front of the page.' },
  login_wall: { label: 'Login wall', means: 'The page sent its reader to another that asks for a password.' },
  banner_left: { label: 'Banner left', means: 'A cookie banner was seen and could not be removed.' },
  cut: { label: 'Cut', means: 'The page is longer than the picture.' },
  images_failed: { label: 'Images failed', means: 'A picture in view did not load.' },
};

const codes = Object.keys(meanings) as VerdictCode[];

const isBad = (code: VerdictCode) => code === 'http_error' || code === 'blank' || code === 'bot_wall';

/** Nothing where all is well: that is the rule. */
export const VerdictBadges = ({ verdict }: { verdict: Verdict | null }) =>
  verdict?.codes.map((code) => (
    <span key={code} title={meanings[code].means}>
      <Badge tone={isBad(code) ? 'danger' : 'warn'}>{meanings[code].label}</Badge>
    </span>
  ));

/** With the sentence behind each code. */
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

/** The same address without or with another filter. */
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
      <option value="">Every verdict</option>
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
