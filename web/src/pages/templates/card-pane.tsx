import { ms } from '../../format.ts';
import { Panel } from '../../ui/surface.tsx';
import type { LiveCard } from './live-card.ts';

/** The card as it would be now, and the same card in other sizes and with other texts. */
export function CardPane({ card }: { card: LiveCard }) {
  const isOld = card.error !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <Panel className="overflow-hidden">
        <div className="picture-ground aspect-[1200/630]">
          {card.url && (
            <img
              src={card.url}
              width={1200}
              height={630}
              alt="The card with its examples"
              className={`size-full transition-opacity ${isOld ? 'opacity-40' : ''}`}
            />
          )}
        </div>
        <p className="flex h-8 items-center justify-between gap-3 border-t px-3 text-xs text-ink-3">
          <span>1200 × 630</span>
          <span className="tabular-nums">
            {isOld
              ? 'as it was before the mistake'
              : card.ms !== undefined && `painted ${ms(card.ms)} after the last change`}
          </span>
        </p>
      </Panel>
      <ul aria-label="The same card in other sizes and with other texts" className="grid grid-cols-3 gap-3">
        {card.looks.map(({ look, url }) => (
          <li key={look.name} className="flex min-w-0 flex-col">
            <div className="picture-ground flex aspect-[1200/630] items-center justify-center overflow-hidden rounded-md border">
              {url && (
                <img
                  src={url}
                  width={look.width}
                  height={look.height}
                  alt={`The card: ${look.name}`}
                  className={`h-full transition-opacity ${look.width > look.height ? 'w-full' : 'w-auto'} ${isOld ? 'opacity-40' : ''}`}
                />
              )}
            </div>
            <span className="mt-1 truncate text-xs text-ink-2">{look.name}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
