// A page becomes text: it is loaded like a screenshot of the whole page, and read by a script in our isolated world. The
// reading runs in the page's own process, so that a large page costs only its own request.
import type { CaptureRequest } from '../capture/capture-request.ts';
import type { Captured, Capturer } from '../capture/capture-types.ts';
import { elementProblem } from '../capture/element.ts';
import type { Deadline } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { ReadAnswer, ReadOptions } from './content-types.ts';
import { readScript } from './reader-script.ts';
import { packText, storedTextType } from './stored-text.ts';

export async function readPage(
  capturer: Pick<Capturer, 'evaluate'>,
  request: CaptureRequest,
  options: ReadOptions,
  deadline: Deadline,
  turn?: Turn,
): Promise<Captured> {
  const script = { expression: await readScript(options), selector: options.selector };
  const { value, ...about } = await capturer.evaluate<ReadAnswer>(request, script, deadline, turn);
  if ('missing' in value) throw elementProblem(value.missing);
  return { bytes: packText(value), type: storedTextType, width: 0, height: 0, ...about };
}
