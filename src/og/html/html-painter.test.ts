// What a painting process that fails costs: its own request.
import { afterEach, expect, it } from 'vitest';
import { Deadline } from '../../kernel/deadline.ts';
import { createLog } from '../../kernel/log.ts';
import { createHtmlPainter } from './html-painter.ts';

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

it('a painting process that cannot be started costs its request, and its place is given back', async () => {
  const painter = createHtmlPainter(createLog('silent'), 1);
  const deadline = new Deadline(60_000);
  try {
    process.execPath = '/no/such/program';
    for (let i = 0; i < 2; i++)
      await expect(painter.read('<p>x</p>', deadline)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
    process.execPath = execPath;
    expect(await painter.read('<p>{{title}}</p>', deadline)).toMatchObject({ variables: { title: 'text' } });
  } finally {
    deadline.done();
    await painter.stop();
  }
});
