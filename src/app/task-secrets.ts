// Which parts of a task are secret, for the cluster.
import { loginNames } from '../capture/login.ts';
import type { TaskSecrets } from '../cluster/secret-exchange.ts';
import type { RenderTask } from '../render/executor.ts';

export const taskSecrets: TaskSecrets<RenderTask> = {
  take(task) {
    if (task.kind === 'og') return { task, secrets: undefined };
    const given = loginNames.filter((name) => task.request[name] !== undefined);
    if (given.length === 0) return { task, secrets: undefined };
    const { request } = task;
    return {
      task: { ...task, request: { ...request, ...Object.fromEntries(given.map((name) => [name, undefined])) } },
      secrets: Object.fromEntries(given.map((name) => [name, request[name]])),
    };
  },
  put: (task, secrets) =>
    task.kind === 'og' ? task : { ...task, request: { ...task.request, ...(secrets as object) } },
};
