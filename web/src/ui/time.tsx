import { ago, date, dateTime } from '../format.ts';

/** A moment in words; the exact time is its title. */
function Time({ at, text, className }: { at: number; text: string; className: string | undefined }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={dateTime(at)} className={className}>
      {text}
    </time>
  );
}

export const Ago = ({ at, before = '', className }: { at: number; before?: string; className?: string }) => (
  <Time at={at} text={before + ago(at)} className={className} />
);

export const Day = ({ at, className }: { at: number; className?: string }) => (
  <Time at={at} text={date(at)} className={className} />
);
