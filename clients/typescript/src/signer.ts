// Signed links for public HTML: they need no key, and end with an HMAC of path and query.
import { type BodyOnly, cardMediaTypes, cardSize } from './generated.ts';
import { type OgRequest, queryOf, type ScreenshotRequest } from './requests.ts';
import { baseOf, type TintypeOptions } from './transport.ts';

/** Variables of the environment may be given as they are: one that is missing throws a TypeError. */
export type SignerOptions = Pick<TintypeOptions, 'baseUrl'> & {
  /** `key_…`: in the dashboard beside the key. It is no secret. */
  readonly keyId: string | undefined;
  /** The signing secret of the key: keep it on your server. */
  readonly secret: string | undefined;
};

export type LinkOptions = {
  /** When the link ends: a date or Unix seconds. By default it is valid as long as the key. */
  readonly expires?: Date | number | undefined;
};

type Without<Request, Names extends PropertyKey> = Request extends unknown ? Omit<Request, Names> : never;

/** What a link can have; a page or a secret is sent in a body only. */
export type ScreenshotLink = Without<Extract<ScreenshotRequest, { readonly url: string }>, BodyOnly>;

/** An image for `og:image`: what Next.js takes in `openGraph.images` and Nuxt in `ogImage` of `useSeoMeta`. */
export type OgImage = { url: string; width: number; height: number; alt: string; type: string };

export type OgImageOptions = LinkOptions & {
  /** What the image says. By default the `title` of the card. */
  readonly alt?: string | undefined;
};

export type Signer = {
  /** The link of a card. */
  og(request: OgRequest, options?: LinkOptions): Promise<string>;
  /** The link of a screenshot. */
  screenshot(request: ScreenshotLink, options?: LinkOptions): Promise<string>;
  /** The link of a card with its size, type and text. */
  ogImage(request: OgRequest, options?: OgImageOptions): Promise<OgImage>;
};

const reserved = ['api_key', 'key_id', 'expires', 'signature'];

export function signer({ keyId, secret, baseUrl }: SignerOptions): Signer {
  const base = baseOf(baseUrl);
  if (!/^key_[A-Za-z0-9]+$/.test(keyId ?? ''))
    throw new TypeError('keyId must be the id of an API key, such as key_….');
  if (!secret) throw new TypeError('secret must be the signing secret of the key.');
  let imported: Promise<CryptoKey> | undefined;

  const link = async (path: string, request: object, { expires }: LinkOptions = {}): Promise<string> => {
    for (const name of reserved)
      if (name in request) throw new TypeError(`${name} cannot be in the request of a signed link.`);
    const end = expires === undefined ? '' : `&expires=${unixSeconds(expires)}`;
    const text = `${path}?${queryOf(request)}&key_id=${keyId}${end}`;
    imported ??= importSecret(secret);
    return `${base}${text}&signature=${await hmac(await imported, text)}`;
  };
  const og: Signer['og'] = (request, options) => link('/v1/og', request, options);
  return {
    og,
    screenshot: (request, options) => link('/v1/screenshot', request, options),
    async ogImage(request, { alt, ...options } = {}) {
      const { width = cardSize.width, height = cardSize.height, format = 'png' } = request;
      const title = 'title' in request && request.title !== undefined ? String(request.title) : '';
      return { url: await og(request, options), width, height, alt: alt ?? title, type: cardMediaTypes[format] };
    },
  };
}

export type MetaTag =
  | { readonly property: string; readonly content: string }
  | { readonly name: string; readonly content: string };

/** The attributes of the `<meta>` elements for an image: for Astro, SvelteKit and JSX. */
export function metaTags({ url, width, height, alt, type }: OgImage): MetaTag[] {
  return [
    { property: 'og:image', content: url },
    { property: 'og:image:type', content: type },
    { property: 'og:image:width', content: String(width) },
    { property: 'og:image:height', content: String(height) },
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}

/** The same elements as HTML, escaped. */
export const metaHtml = (image: OgImage): string =>
  metaTags(image)
    .map(
      (tag) =>
        `<meta ${Object.entries(tag)
          .map(([name, text]) => `${name}="${escapeHtml(text)}"`)
          .join(' ')}>`,
    )
    .join('\n');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function unixSeconds(time: Date | number): number {
  const seconds = Math.floor(time instanceof Date ? time.getTime() / 1000 : time);
  // Milliseconds by mistake would be a link for thousands of years.
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > 99_999_999_999)
    throw new TypeError('expires must be a date or a Unix time in seconds.');
  return seconds;
}

function importSecret(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
}

async function hmac(key: CryptoKey, text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
