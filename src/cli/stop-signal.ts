// SIGTERM and SIGINT, for commands that end in good order.

// A terminal signals its whole process group and npm passes signals on, so that Ctrl+C arrives twice.
const sameSignalMs = 2000;

/** Resolves at the first signal. A signal more than two seconds later ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (firstAt !== undefined && now - firstAt > sameSignalMs) process.exit(signal === 'SIGINT' ? 130 : 143);
      firstAt ??= now;
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}
