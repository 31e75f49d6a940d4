// How many templates of an account are read at once.
import { expect, it } from 'vitest';
import { Deadline } from '../kernel/deadline.ts';
import { plans } from '../kernel/plans.ts';
import { createOwnTemplates } from './own-templates.ts';

it('one account has one template read at a time; another account does not wait for it', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const html = {
    async read(source: string) {
      begun.push(source);
      await new Promise<void>((resolve) => ends.push(resolve));
      return { variables: {}, files: [] };
    },
  };
  const templates = createOwnTemplates({ store: {} as never, cards: { html } as never, plans });
  const deadline = new Deadline(60_000);
  const reading = ['a1', 'a2', 'b1'].map((name) => templates.read(name.slice(0, 1), { html: name }, deadline));
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  ends[0]?.();
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  for (const end of ends) end();
  await Promise.all(reading);
  deadline.done();
});
