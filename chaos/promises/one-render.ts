// A thousand identical requests at the same moment are one render.
import { type PromiseOf, row } from '../promise.ts';
import { openStage } from '../stage.ts';

export const oneRender: PromiseOf = async ({ scale }) => {
  const stage = await openStage();
  const key = await stage.newKey();
  const count = Math.max(100, Math.round(1000 * scale));
  const answers = await Promise.all(Array.from({ length: count }, () => stage.shot(key, '/slow')));
  const renders = stage.site.hits('/slow');
  const good = answers.filter(({ status }) => status === 200).length;
  await stage.close();
  return [
    row(`renders for ${count} identical requests`, String(renders), '1', renders === 1),
    row('of them answered with the picture', String(good), String(count), good === count),
  ];
};
