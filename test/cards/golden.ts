// The golden images: every template's example at 600 × 315. `npm run og:golden -- NAME` renders that of one template,
// without a name all of them. Look at them before you commit them.
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
  const wanted = process.argv.slice(2);
  for (const { name } of maker.catalogue.filter((entry) => wanted.length === 0 || wanted.includes(entry.name))) {
    await writeFile(join(folder, `${name}.png`), await goldenCard(maker, name));
    console.log(`test/golden/og/${name}.png`);
  }
}
