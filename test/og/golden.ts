// The golden images: every template's example at 600 × 315. `npm run og:golden` paints them anew; look at
// them before they are committed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestMaker, type TestMaker } from './maker.ts';

const folder = join(import.meta.dirname, '../golden/og');

export const goldenCard = async (maker: TestMaker, name: string): Promise<Buffer> => {
  const example = maker.catalogue.find((entry) => entry.name === name)?.example ?? {};
  return (await maker.card(name, example, { width: 600, height: 315 })).bytes;
};

export const readGolden = (name: string): Promise<Buffer> => readFile(join(folder, `${name}.png`));

if (process.argv[1] === import.meta.filename) {
  const maker = await createTestMaker();
  await mkdir(folder, { recursive: true });
  for (const { name } of maker.catalogue) {
    await writeFile(join(folder, `${name}.png`), await goldenCard(maker, name));
    console.log(`test/golden/og/${name}.png`);
  }
}
