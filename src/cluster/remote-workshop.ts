// The workshop of an api node, for one lane: the render is put into the queue, and a render node makes it. Same face
// as render/workshop.ts.
import type { Queue } from 'bullmq';
import { type Deadline, type Phases, timeoutProblem } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Lane, Load } from '../kernel/lanes.ts';
import { type Applicant, type Gate, overloaded } from './gate.ts';
import { type Link, space } from './link.ts';
import type { Letter, Letterbox, Member } from './member.ts';
import { unpack } from './parcel.ts';
import { fromLetter, type ProblemLetter } from './problems.ts';

/** What lies in the queue. Who asked may have got more time since than `endsAt` says, never less. */
export type Ticket<Job> = { readonly applicant: Applicant; readonly job: Job; readonly endsAt: number };

/** What comes back: the head of a parcel, whose bytes are the picture. */
export type Outcome = {
  readonly id: string;
  readonly phases: Phases;
  /** It had got a slot. */
  readonly began: boolean;
} & ({ readonly made: Record<string, unknown> } | { readonly problem: ProblemLetter; readonly step: string });

export type RemoteWorkshop<Job, Made> = {
  /** `began` is called when the render has got a slot. */
  make(job: Job, applicant: Applicant, work: Deadline, id: string, began: () => void): Promise<Made>;
  /** Takes a render that nobody waits for out of the queue. */
  drop(id: string, accountId: string): Promise<void>;
  readonly load: Load;
};

type Parts = {
  link: Link;
  member: Member;
  lane: Lane;
  gate: Gate;
  queue: Queue;
  /** How many renders may wait in the whole cluster. */
  queueMax: number;
};

const askAgainMs = 1000;
/** A Redis that is away for longer than this ends the wait: restarts and failovers take less. */
const patienceMs = 5000;
/** Render nodes that are restarted one after the other may leave a short gap. */
const noRendererMs = 5000;

export function createRemoteWorkshop<Job, Made>(parts: Parts): RemoteWorkshop<Job, Made> {
  const { link, member, lane, gate, queue, queueMax } = parts;

  /** Waits at the gate: the place in the queue; or what was made, if another machine had led and queued it before. */
  async function pass(id: string, applicant: Applicant, work: Deadline, box: Letterbox): Promise<number | Buffer> {
    let letter: Letter | undefined;
    for (;;) {
      if (letter?.parcel !== undefined) return letter.parcel;
      if (letter?.says === 'full') throw overloaded();
      const endsAt = Math.round(link.now() + work.remaining());
      const room = { ...member.standing[lane], queueMax };
      const place = letter?.says === 'go' ? letter.priority : await gate.enter(id, applicant, endsAt, room);
      const made = place === 'made' ? await fetchParcel(id) : null;
      if (made !== null) return made;
      if (typeof place === 'number') return place;
      await throwIfNobodyRenders();
      letter = await work.race(box.next(askAgainMs));
    }
  }

  const throwIfNobodyRenders = async () => {
    if (await member.nobodyRendersFor(noRendererMs))
      throw new Problem('renderer_unavailable', {
        message: 'No render node is up. Try again shortly.',
        retryAfter: 5,
      });
  };

  const fetchParcel = (id: string) => link.call((redis) => redis.getdelBuffer(`${space}:parcel:${id}`));

  const enqueue = (id: string, ticket: Ticket<Job>, priority: number) =>
    link.call(() => queue.add('render', ticket, { jobId: id, priority, removeOnComplete: true, removeOnFail: true }));

  async function arrival(
    id: string,
    ticket: Ticket<Job>,
    place: number,
    work: Deadline,
    box: Letterbox,
    began: () => void,
  ) {
    let lastAnswer = performance.now();
    let lost = 0;
    for (;;) {
      const letter = await work.race(box.next(askAgainMs));
      if (letter?.parcel !== undefined) return letter.parcel;
      if (letter?.step !== undefined) {
        work.elsewhere(letter.step);
        if (letter.began) began();
        continue;
      }
      try {
        const parcel = await fetchParcel(id);
        if (parcel !== null) return parcel;
        await throwIfNobodyRenders();
        const inQueue = await link.call((redis) => redis.exists(`${space}:${lane}:${id}`));
        lastAnswer = performance.now();
        if (inQueue === 1) continue;
        const late = await fetchParcel(id);
        if (late !== null) return late;
        // Redis lost it.
        if (++lost > 3) throw new Problem('renderer_unavailable', { retryAfter: 5 });
        await enqueue(id, ticket, place);
      } catch (error) {
        const away = error instanceof Problem && error.code === 'storage_unavailable';
        if (!away || performance.now() - lastAnswer > patienceMs) throw error;
      }
    }
  }

  async function open(parcel: Buffer, work: Deadline, began: () => void): Promise<Made> {
    const { head, bytes } = unpack<Outcome>(parcel);
    if (head.began) began();
    const { start: _, ...phases } = head.phases;
    work.include(phases);
    if ('made' in head) return { ...head.made, bytes } as Made;
    if (head.problem.code !== 'render_timeout') throw fromLetter(head.problem);
    // The render node stops a little early, to tell in which step; whoever waits hears it from their own clock.
    work.elsewhere(head.step);
    if (work.remaining() < 200) await work.race(new Promise(() => {}));
    throw timeoutProblem(work.endsAt - work.startedAt, head.step);
  }

  return {
    async make(job, applicant, work, id, began) {
      work.step('queue');
      await throwIfNobodyRenders();
      const box = member.open(id);
      let queued = false;
      try {
        const place = await pass(id, applicant, work, box);
        if (typeof place !== 'number') return await open(place, work, began);
        const ticket = { applicant, job, endsAt: Math.round(link.now() + work.remaining()) };
        await enqueue(id, ticket, place);
        queued = true;
        return await open(await arrival(id, ticket, place, work, box, began), work, began);
      } catch (error) {
        // Who waits elsewhere may lead on with it: whether it is dropped is for the flight to say.
        if (!queued && !work.signal.aborted) await gate.leave(id, applicant.accountId).catch(() => {});
        throw error;
      } finally {
        box.close();
      }
    },

    async drop(id, accountId) {
      // 0: a render node has it; that one was told, and finishes by itself.
      if ((await link.call(() => queue.remove(id))) === 1 || accountId !== '') await gate.leave(id, accountId);
    },

    get load() {
      return member.standing[lane];
    },
  };
}
