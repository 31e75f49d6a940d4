import type { BatchProgressView } from '../../api.ts';
import { number, plural } from '../../format.ts';

/** How many jobs of a batch have ended, and how. */
export function BatchProgress({ batch: { id, counts } }: { batch: Pick<BatchProgressView, 'id' | 'counts'> }) {
  const { queued, running, done, failed, canceled } = counts;
  const ended = done + failed + canceled;
  const all = ended + queued + running;
  const width = (count: number) => ({ width: `${all === 0 ? 0 : (count / all) * 100}%` });
  const parts = [
    `${number(done)} done`,
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    ...(canceled > 0 ? [`${number(canceled)} canceled`] : []),
    ...(running > 0 ? [`${number(running)} running`] : []),
    ...(queued > 0 ? [`${number(queued)} queued`] : []),
  ];
  return (
    <>
      <div
        role="progressbar"
        aria-label={`Progress of ${id}`}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={ended}
        aria-valuetext={`${ended} of ${plural(all, 'job')} ended: ${parts.join(', ')}`}
        className="flex h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full bg-ok transition-[width]" style={width(done)} />
        <div className="h-full bg-danger transition-[width]" style={width(failed)} />
        <div className="h-full bg-line-strong transition-[width]" style={width(canceled)} />
      </div>
      <p className="mt-1.5 text-xs text-ink-2 tabular-nums">
        {parts.map((part, index) => (
          <span key={part} className={part.endsWith('failed') ? 'text-danger' : ''}>
            {index > 0 && <span className="text-ink-3"> · </span>}
            {part}
          </span>
        ))}
      </p>
    </>
  );
}
