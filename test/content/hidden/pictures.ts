// The pictures that pages with hidden texts show.
import type { ReadingHarness } from '../reading-harness.ts';

const pictures = {
  '/pixel.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  '/picture.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><rect width="300" height="60" fill="#357"/></svg>',
};

export function servePictures(site: ReadingHarness['site']): void {
  for (const [path, svg] of Object.entries(pictures))
    site.on(path, (_request, response) => void response.setHeader('content-type', 'image/svg+xml').end(svg));
}
