// Keeps the images of previews for a minute: the editor of templates paints a card for every keystroke, and its images would
// be fetched each time.
import { BoundedMap } from '../kernel/bounded-map.ts';

const keepMs = 60_000;
const keepCount = 30;
const largest = 1024 * 1024;

export function createRecentImages() {
  const kept = new BoundedMap<string, { readonly bytes: Buffer; readonly until: number }>(keepCount);
  return async (url: string, load: () => Promise<Buffer>): Promise<Buffer> => {
    const known = kept.get(url);
    if (known !== undefined && known.until > performance.now()) return known.bytes;
    const bytes = await load();
    if (bytes.length <= largest) kept.set(url, { bytes, until: performance.now() + keepMs });
    return bytes;
  };
}
