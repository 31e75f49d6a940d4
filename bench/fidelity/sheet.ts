// A contact sheet to look at: the worst pictures, each as ours | reference | what differs.
import sharp, { type OverlayOptions } from 'sharp';
import type { Difference, Raw } from './compare.ts';

export type SheetEntry = { readonly label: string; readonly triple: string };

const cell = { width: 250, height: 330 };
const gap = 6;
const tripleWidth = 3 * cell.width + 2 * gap;

/** Ours, the reference and the difference side by side: the part of the page where they differ most. */
export async function triple(
  ours: Raw,
  reference: Raw,
  { mask, width, height, worstRow }: Difference,
): Promise<Buffer> {
  const shown = Math.min(height, Math.round((width * cell.height) / cell.width));
  const top = Math.max(0, Math.min(worstRow - Math.round(shown / 6), height - shown));
  const marked = Buffer.alloc(width * height * 3, 255);
  for (let i = 0; i < mask.length; i++) if (mask[i]) marked.set([220, 0, 60], i * 3);
  const cells = await Promise.all(
    [ours, reference, { data: marked, width, height }].map((raw) => part(raw, top, shown)),
  );
  const tall = Math.min(cell.height, Math.max(1, Math.round((shown * cell.width) / width)));
  return sharp({ create: { width: tripleWidth, height: tall, channels: 3, background: '#bbb' } })
    .composite(cells.map((input, i) => ({ input, left: i * (cell.width + gap), top: 0 })))
    .png()
    .toBuffer();
}

async function part({ data, width, height }: Raw, top: number, rows: number): Promise<Buffer> {
  const there = Math.min(rows, height - top);
  if (there <= 0)
    return sharp({ create: { width: 1, height: 1, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
  const scaled = Math.max(1, Math.round((there * cell.width) / width));
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
    .extract({ left: 0, top, width, height: there })
    .resize({ width: cell.width, height: Math.min(scaled, cell.height), fit: 'fill' })
    .png()
    .toBuffer();
}

export async function writeSheet(path: string, entries: readonly SheetEntry[]): Promise<void> {
  const columns = 3;
  const tiles: OverlayOptions[] = [];
  let top = 6;
  for (let i = 0; i < entries.length; i += columns) {
    const row = entries.slice(i, i + columns);
    const heights = await Promise.all(row.map(async (entry) => (await sharp(entry.triple).metadata()).height ?? 0));
    for (const [column, { label, triple: input }] of row.entries()) {
      const left = column * (tripleWidth + 18) + 10;
      const text = `<span foreground="#111">${label.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</span>`;
      tiles.push({ input: { text: { text, font: 'sans 11', rgba: true, width: tripleWidth, height: 18 } }, left, top });
      tiles.push({ input, left, top: top + 22 });
    }
    top += Math.max(...heights) + 34;
  }
  const size = { width: columns * (tripleWidth + 18) + 4, height: top + 10 };
  await sharp({ create: { ...size, channels: 3, background: '#e4e4e4' } })
    .composite(tiles)
    .png()
    .toFile(path);
}
