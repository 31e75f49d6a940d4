// Jobs of every kind and status: for the gallery, and for axe.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import type { JobsView } from '../../src/http/dashboard/contract.ts';
import type { WebHarness } from './web-harness.ts';

export async function seedJobs(harness: WebHarness, context: BrowserContext): Promise<void> {
  const { body } = await harness.call(context, 'POST', '/api/keys', { name: 'Nightly' });
  const send = async (path: string, content: object) => {
    const response = await fetch(harness.url + path, {
      method: 'POST',
      headers: { 'x-api-key': (body as { secret: string }).secret, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    });
    if (response.status !== 202) throw new Error(await response.text());
    return (await response.json()) as { statusUrl: string };
  };
  const page = (path: string) => ({ kind: 'screenshot', request: { url: harness.target(path) } });
  const slow = (at: number) => ({
    kind: 'screenshot',
    request: { url: harness.target(`/slow?${at}`), timeout: 60_000 },
  });
  const wrong = { kind: 'screenshot', request: { url: 'https://nowhere.example.com/prices' } };
  const sent = { kind: 'screenshot', request: { html: '<h1>Invoice 4711</h1>', selector: '#total' } };
  const first = [page('/'), page('/handbook'), page('/status'), page('/missing'), wrong, sent];
  await send('/v1/batches', { requests: first });
  await send('/v1/jobs', { kind: 'og', request: { template: 'quote', title: 'Simple is not easy' } });
  await send('/v1/jobs', {
    kind: 'content',
    request: { url: harness.target('/handbook') },
    metadata: { order: 4711, team: 'Handbook' },
  });
  // Not by vitest: the gallery is made without it.
  const left = async () => {
    const { queued, running } = (await harness.call(context, 'GET', '/api/jobs')).body as JobsView;
    return queued + running;
  };
  while ((await left()) > 0) await sleep(100);
  const second = [page('/?1'), page('/?2'), wrong, ...Array.from({ length: 20 }, (_, at) => slow(at))];
  await send('/v1/batches', { requests: second });
}
