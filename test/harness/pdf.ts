// Looking at a PDF with poppler: its text, its pages, and a page as a picture.
import { execFileSync } from 'node:child_process';
import { hasCommand } from './needs.ts';

export const hasPoppler = (): boolean => hasCommand('pdftotext');

const poppler = (command: string, args: string[], bytes: Buffer): Buffer =>
  execFileSync(command, args, { input: bytes, maxBuffer: 1e9 });

export const textOfPdf = (bytes: Buffer): string => poppler('pdftotext', ['-layout', '-', '-'], bytes).toString();

/** The number of pages, and the size of the first one in points. */
export function factsOfPdf(bytes: Buffer): { pages: number; width: number; height: number } {
  const info = poppler('pdfinfo', ['-'], bytes).toString();
  const [, width, height] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(info) ?? [];
  return {
    pages: Number(/Pages:\s+(\d+)/.exec(info)?.[1]),
    width: Math.round(Number(width)),
    height: Math.round(Number(height)),
  };
}

/** A page as a png with 72 dots an inch: a point is a pixel. */
export const pictureOfPdf = (bytes: Buffer, page = 1): Buffer =>
  poppler('pdftoppm', ['-r', '72', '-png', '-f', String(page), '-singlefile', '-'], bytes);
