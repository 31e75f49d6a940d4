// One render at a time: a new one cancels the previous one.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, type RenderBody, type RenderedView, render } from '../../api.ts';

export type Run = {
  readonly running: boolean;
  readonly step: string;
  readonly startedAt: number;
  readonly result: RenderedView | undefined;
  readonly error: ApiError | undefined;
};

const idle: Run = { running: false, step: '', startedAt: 0, result: undefined, error: undefined };

export function useRun() {
  const [run, setRun] = useState<Run>(idle);
  const current = useRef<AbortController>(undefined);
  const stop = useCallback(() => current.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const start = useCallback(async (body: RenderBody) => {
    current.current?.abort();
    const mine = new AbortController();
    current.current = mine;
    setRun((last) => ({ running: true, step: 'start', startedAt: Date.now(), result: last.result, error: undefined }));
    try {
      const onStep = (step: string) => setRun((last) => ({ ...last, step }));
      const result = await render(body, onStep, mine.signal);
      if (!mine.signal.aborted) setRun((last) => ({ ...last, running: false, result }));
    } catch (reason) {
      if (mine.signal.aborted) return;
      const error = reason instanceof ApiError ? reason : new ApiError(0, { error: String(reason), code: 'unknown' });
      setRun((last) => ({ ...last, running: false, error }));
    }
  }, []);

  const cancel = useCallback(() => {
    stop();
    setRun((last) => ({ ...last, running: false }));
  }, [stop]);

  const clear = useCallback(() => {
    stop();
    setRun(idle);
  }, [stop]);

  return { run, start, cancel, clear };
}
