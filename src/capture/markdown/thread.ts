// The thread that converts Markdown, one text at a time.
import { parentPort } from 'node:worker_threads';
import { convertMarkdown } from './convert.ts';
import type { ThreadAnswer } from './converter.ts';

/** Links can be defined once and used often, so that a short text becomes a very long page. */
const mostBytes = 8e6;

parentPort?.on('message', (markdown: string) => {
  const answer = answerTo(markdown);
  parentPort?.postMessage(answer);
});

function answerTo(markdown: string): ThreadAnswer {
  try {
    const html = new TextEncoder().encode(convertMarkdown(markdown));
    return html.length > mostBytes ? { refused: `becomes more than ${mostBytes / 1e6} MB of HTML` } : { html };
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) return { refused: 'is too deeply nested or too long' };
    return { refused: `could not be read: ${String(error).slice(0, 200)}` };
  }
}
