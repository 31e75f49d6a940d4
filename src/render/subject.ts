// The subject of a result, by which an account can remove all results of a page or a template: a hash, because an address is
// longer than an index allows, and may have secrets in it.
import { hash } from 'node:crypto';
import { type RenderTask, sourceParameter } from './executor.ts';

export const subjectHash = (name: 'url' | 'template', value: string): string =>
  hash('sha256', `${name}:${value}`, 'hex');

/** Null for a page that was sent. */
export function subjectOfTask(task: RenderTask): string | null {
  const [name, value] = sourceParameter(task);
  return name === 'url' || name === 'template' ? subjectHash(name, value) : null;
}
