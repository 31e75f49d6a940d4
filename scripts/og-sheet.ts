// Contact sheets of every card, to be looked at: npm run og:sheet [template …]
// One sheet a template in gallery/og/: sizes, amounts of text, colors, scripts.
import { mkdir } from 'node:fs/promises';
import sharp, { type OverlayOptions } from 'sharp';
import type { CardMaker, CatalogueEntry } from '../src/cards/card-types.ts';
import { createCardMaker } from '../src/cards/cards.ts';
import { loadConfig } from '../src/config.ts';
import { Deadline } from '../src/kernel/deadline.ts';
import { createLog } from '../src/kernel/log.ts';
import { samples } from './og-samples.ts';
import { sampleEgress } from './sample-egress.ts';

type Shot = { label: string; width: number; height: number; variables: Record<string, string> };

const folder = new URL('../gallery/og/', import.meta.url).pathname;
const cell = { width: 480, height: 300 };

function shotsOf({ variables, example }: CatalogueEntry): Shot[] {
  const wide = { width: 1200, height: 630 };
  const images = Object.entries(variables).filter(([, { type }]) => type === 'image_url');
  const withImages = {
    ...example,
    ...Object.fromEntries(images.map(([name]) => [name, `https://sample.example/${name}`])),
  };
  const fill = (text: string) =>
    Object.fromEntries(
      Object.entries(variables)
        .filter(([, { type }]) => type === 'text' || type === 'items')
        .map(([name, { type }]) => [name, type === 'items' ? Array.from({ length: 6 }, () => text).join('\n') : text]),
    );
  const sizes = [
    [1200, 630],
    [1080, 1080],
    [1080, 1920],
    [1600, 900],
    [1000, 1500],
    [400, 400],
    [200, 105],
    [100, 100],
    [1500, 500],
    [4096, 4096],
    [4096, 300],
    [300, 2000],
  ] as const;
  return [
    ...sizes.map(([width, height]) => ({ label: `${width}×${height}`, width, height, variables: example })),
    { label: 'with images', ...wide, variables: withImages },
    { label: 'with images 1:1', width: 1080, height: 1080, variables: withImages },
    { label: 'with images 9:16', width: 1080, height: 1920, variables: withImages },
    { label: 'no variables', ...wide, variables: {} },
    { label: 'one word', ...wide, variables: fill('Hi') },
    { label: 'long', ...wide, variables: { ...example, title: samples.long } },
    { label: 'everything long', ...wide, variables: fill(samples.long) },
    { label: 'everything long 9:16', width: 1080, height: 1920, variables: fill(samples.long) },
    { label: 'everything long 1:1', width: 1080, height: 1080, variables: fill(samples.long) },
    {
      label: 'unbroken',
      ...wide,
      variables: fill('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'),
    },
    ...samples.colors.map(([accent = '', bgColor = '']) => ({
      label: `${accent} on ${bgColor}`,
      ...wide,
      variables: { ...example, accent, bgColor },
    })),
    ...Object.entries(samples.scripts).map(([label, [title = '', line = '']]) => ({
      label,
      ...wide,
      variables: {
        ...fill(line),
        ...(variables.title && { title }),
        ...(variables.author && { author: line.split(' ').slice(0, 2).join(' ') }),
      },
    })),
  ];
}

async function sheetOf(maker: CardMaker, entry: CatalogueEntry): Promise<void> {
  const columns = 4;
  const tiles: OverlayOptions[] = [];
  const shots = shotsOf(entry);
  for (const [i, shot] of shots.entries()) {
    const deadline = new Deadline(15_000);
    const { label, width, height, variables } = shot;
    const card = await maker.render(
      { template: entry.name, format: 'png', quality: 80, width, height, variables },
      deadline,
    );
    deadline.done();
    const small = await sharp(card.bytes)
      .resize({ width: cell.width, height: cell.height - 28, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
    const left = (i % columns) * (cell.width + 16) + 16;
    const top = Math.floor(i / columns) * (cell.height + 16) + 16;
    tiles.push({
      input: { text: { text: `<span foreground="#333">${label}</span>`, font: 'sans 10', rgba: true } },
      left,
      top,
    });
    tiles.push({ input: small, left, top: top + 24 });
  }
  await sharp({
    create: {
      width: columns * (cell.width + 16) + 16,
      height: Math.ceil(shots.length / columns) * (cell.height + 16) + 16,
      channels: 3,
      background: '#c8c8c8',
    },
  })
    .composite(tiles)
    .png()
    .toFile(`${folder}${entry.name}.png`);
}

const maker = await createCardMaker({
  egress: sampleEgress,
  templatesDir: loadConfig().templatesDir,
  log: createLog('warn'),
});
await mkdir(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const entry of maker.catalogue) {
  if (wanted.length > 0 && !wanted.includes(entry.name)) continue;
  await sheetOf(maker, entry);
  console.log(`gallery/og/${entry.name}.png`);
}
await maker.stop();
