// Contact sheets of the starters, each beside the built-in template it follows: npm run og:starters [name …]
// In gallery/starters/: three shapes of both, then the starter with little text, much text, other scripts and images.
import { mkdir } from 'node:fs/promises';
import sharp, { type OverlayOptions } from 'sharp';
import type { CardRequest, CatalogueEntry } from '../src/cards/card-types.ts';
import { createCardMaker } from '../src/cards/cards.ts';
import { Deadline } from '../src/kernel/deadline.ts';
import { createLog } from '../src/kernel/log.ts';
import { starters } from '../src/templates/starters.ts';
import { describe, fromFile } from '../src/templates/template-document.ts';
import { samples } from './og-samples.ts';
import { sampleEgress } from './sample-egress.ts';

const folder = new URL('../gallery/starters/', import.meta.url).pathname;
const wide = { width: 1200, height: 630 };
const square = { width: 840, height: 840 };
const tall = { width: 720, height: 1280 };
const rowHeight = 330;

const maker = await createCardMaker({ egress: sampleEgress, log: createLog('warn') });
await mkdir(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const { name, file } of await starters()) {
  const entry = maker.catalogue.find((each) => each.name === name);
  if (!entry || (wanted.length > 0 && !wanted.includes(name))) continue;
  await sheetOf(entry, file);
  console.log(`gallery/starters/${name}.png`);
}
await maker.stop();

async function sheetOf({ name, variables, example }: CatalogueEntry, file: string): Promise<void> {
  const { source, ...said } = fromFile(file);
  const deadline = new Deadline(60_000);
  const read = await maker.html.read(source, deadline);
  const html = { source, variables: describe(read.variables, said).variables, files: [] };
  const card = async (size: typeof wide, values: Readonly<Record<string, string>>, own = true) => {
    const request: CardRequest = { template: name, format: 'png', quality: 80, ...size, variables: values };
    const { bytes } = await maker.render(own ? { ...request, html } : request, deadline);
    return sharp(bytes).resize({ height: rowHeight }).png().toBuffer({ resolveWithObject: true });
  };
  const fill = (text: string) =>
    Object.fromEntries(
      Object.entries(variables)
        .filter(([, { type }]) => type === 'text' || type === 'items')
        .map(([each, { type }]) => [each, type === 'items' ? Array(6).fill(text).join('\n') : text]),
    );
  const images = Object.fromEntries(
    Object.entries(variables)
      .filter(([, { type }]) => type === 'image_url')
      .map(([each]) => [each, `https://sample.example/${each}`]),
  );
  const script = ([title = '', line = '']: readonly string[]) => ({ ...fill(line), title });
  const titled = (title: string) => ({ ...example, [variables.title ? 'title' : 'code']: title });
  const rows = [
    [card(wide, example, false), card(square, example, false), card(tall, example, false)],
    [card(wide, example), card(square, example), card(tall, example)],
    [
      card(wide, { ...example, ...images }),
      card(square, { ...example, ...images }),
      card(tall, { ...example, ...images }),
    ],
    [card(wide, titled('Hi')), card(wide, {}), card(tall, fill(samples.long))],
    [card(wide, titled(samples.long)), card(square, titled(samples.long)), card(tall, titled(samples.long))],
    [
      card(wide, fill(samples.long)),
      card(square, fill(samples.long)),
      card(square, script(samples.scripts.Arabic ?? [])),
    ],
    [card(wide, script(samples.scripts.Arabic ?? [])), card(wide, script(samples.scripts.Japanese ?? []))],
  ];
  const tiles: OverlayOptions[] = [];
  for (const [i, row] of rows.entries()) {
    let left = 8;
    for (const { data, info } of await Promise.all(row)) {
      tiles.push({ input: data, left, top: 8 + i * (rowHeight + 8) });
      left += info.width + 8;
    }
  }
  deadline.done();
  const height = rows.length * (rowHeight + 8) + 8;
  await sharp({ create: { width: 1300, height, channels: 3, background: '#c8c8c8' } })
    .composite(tiles)
    .png()
    .toFile(`${folder}${name}.png`);
}
