const usedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The processor time of this thread meanwhile, in ms: all of it, and the most that one turn of its event loop has taken. */
export async function measureTurns(work: Promise<unknown>): Promise<{ longest: number; all: number }> {
  const start = usedMs();
  let longest = 0;
  let before = start;
  const timer = setInterval(() => {
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 5);
  await work.finally(() => clearInterval(timer));
  return { longest: Math.max(longest, usedMs() - before), all: usedMs() - start };
}
