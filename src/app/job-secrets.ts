// Which parts of a job are secret, for the cluster.
import { loginNames } from '../capture/login.ts';
import type { JobSecrets } from '../cluster/secret-exchange.ts';
import type { Job } from '../render/executor.ts';

export const jobSecrets: JobSecrets<Job> = {
  take(job) {
    if (job.kind === 'og') return { job, secrets: undefined };
    const given = loginNames.filter((name) => job.request[name] !== undefined);
    if (given.length === 0) return { job, secrets: undefined };
    const { request } = job;
    return {
      job: { ...job, request: { ...request, ...Object.fromEntries(given.map((name) => [name, undefined])) } },
      secrets: Object.fromEntries(given.map((name) => [name, request[name]])),
    };
  },
  put: (job, secrets) => (job.kind === 'og' ? job : { ...job, request: { ...job.request, ...(secrets as object) } }),
};
