// The blocking engine: filters are compiled once into bytes, which load in milliseconds, and matched for each request.
import { createHash } from 'node:crypto';
import { ENGINE_VERSION, FiltersEngine, Request, type RequestType } from '@ghostery/adblocker';
import type { Names } from './in-page-types.ts';

// Scriptlets, procedural selectors and CSP injection are left out: they change how a page behaves, and for a picture it is
// enough that the advertisement is gone.
const options = {
  enableCompression: true,
  enableHtmlFiltering: false,
  loadCSPFilters: false,
  loadExtendedSelectors: false,
  enableMutationObserver: false,
};

/** Changes when a compiled engine must be compiled again although its lists are the same. */
export const stampOf = (builtIn: string): string =>
  createHash('sha256')
    .update(JSON.stringify([ENGINE_VERSION, options, builtIn]))
    .digest('hex')
    .slice(0, 16);

export const compile = (filters: string): Uint8Array => FiltersEngine.parse(filters, options).serialize();

export type Asked = { readonly url: string; readonly type: RequestType; readonly source: string };

export type Blocklist = {
  blocks(asked: Asked): boolean;
  /** A style sheet that hides what the rules match in this document. */
  styles(url: string, names: Names): string;
};

export function loadEngine(bytes: Uint8Array): Blocklist {
  const engine = FiltersEngine.deserialize(bytes);
  return {
    blocks: ({ url, type, source }) => engine.match(Request.fromRawDetails({ url, type, sourceUrl: source })).match,
    styles: (url, names) => {
      const { hostname, domain } = Request.fromRawDetails({ url });
      const { styles } = engine.getCosmeticsFilters({
        url,
        hostname,
        domain,
        ...names,
        getBaseRules: true,
        getRulesFromDOM: true,
        getRulesFromHostname: true,
        getInjectionRules: false,
        getExtendedRules: false,
      });
      return apart(styles);
    },
  };
}

/** The engine joins its selectors into one rule, and one selector that the browser does not know would disable all. */
const apart = (css: string): string =>
  css.replaceAll(/([^{}]+)\{([^{}]*)\}/g, (_, selectors: string, style: string) =>
    selectors
      .trim()
      .split(',\n')
      .map((selector) => `${selector} {${style}}`)
      .join('\n'),
  );
