// Secrets of a render never are in Redis in clear. The queue has the task without them; the render node that takes it asks the
// leader of the flight, and gets them sealed with a key that only this node has, for this one render. A node that joined a
// moment ago can ask like any other, and if the leader dies, its successor has the same request and answers instead.
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Link, retry } from './link.ts';
import type { Inbox, Membership } from './membership.ts';
import { createOpener, seal } from './sealing.ts';

/** How to take the secrets out of a task, and to put them back. */
export type TaskSecrets<Task> = {
  /** `secrets` is undefined if the task has none; otherwise a JSON value. */
  take(task: Task): { readonly task: Task; readonly secrets: unknown };
  put(task: Task, secrets: unknown): Task;
};

const askAgainMs = 1000;
/** A dead leader is replaced within six seconds: its lease of four, and a second each to notice and to ask again. */
const patienceMs = 10_000;

/** The leader's inbox for a render: gives the secrets to the node that asks for them, and passes on every other message. */
export function givingSecrets(inbox: Inbox, membership: Membership, id: string, secrets: unknown): Inbox {
  if (secrets === undefined) return inbox;
  const give = async (node: string, key: string) =>
    membership.send(node, { to: key, says: 'secrets', sealed: seal(JSON.stringify(secrets), key, id) });
  return {
    async next(ms) {
      for (;;) {
        const message = await inbox.next(ms);
        if (message?.says !== 'secrets?') return message;
        const { node = '', key = '' } = message;
        // A failure is not reported: the node asks again.
        give(node, key).catch(() => {});
      }
    },
    close: () => inbox.close(),
  };
}

/** For a render node: the secrets of the render it has taken. */
export async function askForSecrets(link: Link, membership: Membership, id: string, work: Deadline): Promise<unknown> {
  const { publicKey, open } = createOpener();
  const inbox = membership.openInbox(publicKey);
  const askedAt = performance.now();
  try {
    while (performance.now() - askedAt < patienceMs) {
      const isWanted = await work.race(retry(() => link.run(askScript, id, membership.id, publicKey)));
      if (isWanted !== 1) break;
      const message = await work.race(inbox.next(askAgainMs));
      if (message?.sealed !== undefined) return JSON.parse(open(message.sealed, id));
    }
    throw new Problem('renderer_unavailable', { retryAfter: 5 });
  } finally {
    inbox.close();
  }
}

const askScript = {
  name: 'tintypeAskSecrets',
  lua: `
local id, node, key = ARGV[2], ARGV[3], ARGV[4]
local flight = redis.call('HMGET', P .. 'flight:' .. string.match(id, '^[^.]+'), 'id', 'owner')
if flight[1] ~= id then return 0 end
send(flight[2], id, { says = 'secrets?', node = node, key = key })
return 1
`,
};
