// Paints the card while somebody types. One request at a time: the newest text wins, and the small cards wait until the
// large one is painted and nobody types.
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, api, type PreviewBody } from '../../api.ts';
import type { Draft } from './draft.ts';
import { type Look, largeLook, looksOf } from './looks.ts';

/** Long enough to take a burst of keys as one change, and short enough to seem immediate. */
const pauseMs = 35;
/** Nobody types. */
const restMs = 300;

export type PaintedLook = { readonly look: Look; readonly url: string | undefined };
export type LiveCard = {
  readonly url: string | undefined;
  /** From the last key to the card. */
  readonly ms: number | undefined;
  readonly error: ApiError | undefined;
  readonly looks: readonly PaintedLook[];
};

/** What is to be painted, and the last draft that could not be. */
type Queue = { next: Paint | undefined; later: Paint[]; wrong: Draft | undefined; isBusy: boolean; isOver: boolean };

type Paint = { readonly look: Look; readonly draft: Draft; readonly typedAt: number };

export function useLiveCard(name: string, draft: Draft, files: string): LiveCard {
  const [large, setLarge] = useState<Pick<LiveCard, 'url' | 'ms' | 'error'>>({
    url: undefined,
    ms: undefined,
    error: undefined,
  });
  const [small, setSmall] = useState<ReadonlyMap<string, string>>(new Map());
  const looks = useMemo(() => looksOf(draft.variables), [draft.variables]);

  const queue = useRef<Queue>({ next: undefined, later: [], wrong: undefined, isBusy: false, isOver: false });

  const pump = useRef(async () => {});
  pump.current = async () => {
    const state = queue.current;
    if (state.isBusy) return;
    state.isBusy = true;
    try {
      for (
        let paint = state.next ?? state.later.shift();
        paint && !state.isOver;
        paint = state.next ?? state.later.shift()
      ) {
        const isLarge = paint === state.next;
        if (isLarge) state.next = undefined;
        const url = await painted(name, paint).catch((error: unknown) => error);
        if (state.isOver) return;
        if (!isLarge) {
          if (typeof url === 'string') setSmall((current) => new Map(current).set(paint.look.name, url));
        } else if (typeof url === 'string') setLarge({ url, ms: performance.now() - paint.typedAt, error: undefined });
        else {
          state.later = [];
          state.wrong = paint.draft;
          const error = url instanceof ApiError ? url : new ApiError(0, { error: String(url), code: 'unknown' });
          setLarge((current) => ({ ...current, error }));
        }
      }
    } finally {
      state.isBusy = false;
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that was replaced changes the card.
  useEffect(() => {
    const state = queue.current;
    const typedAt = performance.now();
    state.later = [];
    if (draft.html.trim() === '') return;
    const soon = setTimeout(() => {
      state.next = { look: largeLook, draft, typedAt };
      void pump.current();
    }, pauseMs);
    const rest = setTimeout(() => {
      if (state.wrong === draft) return;
      state.later = looks.map((look) => ({ look, draft, typedAt }));
      void pump.current();
    }, restMs);
    return () => {
      clearTimeout(soon);
      clearTimeout(rest);
    };
  }, [draft, looks, files]);

  useEffect(() => {
    queue.current.isOver = false;
    return () => {
      queue.current.isOver = true;
    };
  }, []);
  useReleased(large.url);
  useReleased(small);

  return { ...large, looks: looks.map((look) => ({ look, url: small.get(look.name) })) };
}

async function painted(name: string, { look, draft }: Paint): Promise<string> {
  const body: PreviewBody = {
    name,
    html: draft.html,
    variables: draft.said,
    values: look.values(draft.variables, draft.said),
    width: look.width,
    height: look.height,
  };
  const response = await api.previewTemplate(body);
  return URL.createObjectURL(await response.blob());
}

/** Frees the pictures that are no longer shown. */
function useReleased(shown: string | undefined | ReadonlyMap<string, string>): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = new Set(typeof shown === 'string' ? [shown] : (shown?.values() ?? []));
    for (const url of before.current) if (!now.has(url)) URL.revokeObjectURL(url);
    before.current = now;
  }, [shown]);
}
