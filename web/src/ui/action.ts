import { useState } from 'react';
import { ApiError } from '../api.ts';

/** An asynchronous action of a button: whether it runs, and its error. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (reason) {
      setError(reason instanceof ApiError ? reason : new ApiError(0, { error: String(reason), code: 'unknown' }));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
