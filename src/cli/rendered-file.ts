// The bytes that a command writes for a result of the local renderer.
import type { LocalResult } from '../app/local-renderer.ts';
import { readStoredText, textMediaType } from '../content/stored-text.ts';
import type { RenderOutput } from '../render/executor.ts';

/** A text is rendered with the facts about it, and written without them. */
export function renderedFile({ request, output }: LocalResult): RenderOutput {
  if (request.text === undefined) return output;
  const { content } = readStoredText(output.bytes, request.text.maxChars);
  return { ...output, bytes: content, type: textMediaType(request.text.format) };
}
