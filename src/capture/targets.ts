// The targets of a page: the page itself, each frame of another site, which runs in a process of its own, and its workers.
// What is set for the page alone does not hold in those.
import type { CdpSession } from './cdp.ts';

export type TargetSession = Pick<CdpSession, 'send' | 'on'>;

type SetUp = (session: TargetSession) => Promise<unknown>;

/** Each is called before the target runs. */
export type TargetSetUp = {
  /** For the page too. */
  readonly frame: SetUp;
  /** Its requests are paused in the session of the frame that started it. */
  readonly worker: SetUp;
  readonly serviceWorker: SetUp;
};

/** A newspaper with advertisements has about 50 frames. Later targets run as they are. */
const mostTargets = 60;

export async function setUpTargets(
  page: TargetSession,
  sessionOf: (sessionId: string) => TargetSession,
  setUp: TargetSetUp,
): Promise<void> {
  let targets = 0;
  const byType: Readonly<Record<string, SetUp>> = {
    iframe: attach,
    worker: setUp.worker,
    service_worker: setUp.serviceWorker,
  };

  async function attach(session: TargetSession): Promise<void> {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      adopt(sessionOf(sessionId), targetInfo.type).catch(() => {});
    });
    await Promise.all([
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        // All of them: a worker that the filter leaves out waits for us nevertheless.
        filter: Object.keys(byType).map((type) => ({ type })),
      }),
      setUp.frame(session),
    ]);
  }

  async function adopt(target: TargetSession, type: string): Promise<void> {
    try {
      if (++targets <= mostTargets) await byType[type]?.(target);
    } finally {
      await target.send('Runtime.runIfWaitingForDebugger');
    }
  }

  await attach(page);
}
