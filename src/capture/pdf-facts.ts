// What a PDF of the browser's says about itself: how many pages, and how large, in points.

export function pdfFacts(bytes: Buffer): { pages: number; width: number; height: number } {
  const text = bytes.toString('latin1');
  // Page tree nodes are never compressed by the browser's writer; the root has the highest count.
  const counts = [...text.matchAll(/\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d+)|\/Count\s+(\d+)[^>]*?\/Type\s*\/Pages\b/g)];
  const pages = Math.max(1, ...counts.map((match) => Number(match[1] ?? match[2])));
  const box = /\/MediaBox\s*\[\s*([\d.-]+)\s+([\d.-]+)\s+([\d.-]+)\s+([\d.-]+)/.exec(text)?.slice(1).map(Number);
  const [left = 0, bottom = 0, right = 612, top = 792] = box ?? [];
  return { pages, width: Math.round(right - left), height: Math.round(top - bottom) };
}
