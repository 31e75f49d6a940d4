// A thousand identical requests at the same moment are one render.
import { type Guarantee, row } from '../guarantee.ts';
import { startService } from '../service.ts';

export const oneRender: Guarantee = async ({ scale }) => {
  const service = await startService();
  const key = await service.newKey();
  const count = Math.max(100, Math.round(1000 * scale));
  const answers = await Promise.all(Array.from({ length: count }, () => service.shot(key, '/slow')));
  const renders = service.site.hits('/slow');
  const good = answers.filter(({ status }) => status === 200).length;
  await service.close();
  return [
    row(`renders for ${count} identical requests`, String(renders), '1', renders === 1),
    row('of them answered with the picture', String(good), String(count), good === count),
  ];
};
