// Cleans the metadata of a result before it is stored: the page's address and title come from outside, so they are cut to a
// maximal length, and secrets in an address (a key, a token) are removed. The render itself used the full address.
import { redact } from '../kernel/log.ts';
import type { Meta } from './result.ts';

const longest = { url: 4096, title: 1000, warning: 1000 };
const mostWarnings = 50;

export function withoutSecrets(meta: Meta): Meta {
  const { url, page, warnings } = meta;
  const clean = (text: string, length: number) => redact(text.slice(0, length));
  return {
    ...meta,
    ...(url !== undefined && { url: clean(url, longest.url) }),
    ...(page !== undefined && {
      page: {
        ...page,
        finalUrl: page.finalUrl && clean(page.finalUrl, longest.url),
        title: clean(page.title, longest.title),
      },
    }),
    warnings: warnings.slice(0, mostWarnings).map((warning) => clean(warning, longest.warning)),
  };
}
