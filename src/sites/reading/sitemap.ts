// The addresses that a sitemap names.
import { Parser } from 'htmlparser2';
import { decodePage } from './charset.ts';

const most = 2000;
const longest = 2000;

export function readSitemap(bytes: Uint8Array, type: string): string[] {
  const found: string[] = [];
  let text: string | undefined;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (name === 'loc' && found.length < most) text = '';
      },
      ontext(part) {
        if (text !== undefined && text.length < longest) text += part;
      },
      onclosetag(name) {
        if (name !== 'loc' || text === undefined) return;
        found.push(text.trim());
        text = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(decodePage(bytes, type));
  return found;
}
