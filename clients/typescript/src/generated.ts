// Written by `npm run docs` from the tables of the server: parameters, templates, errors, responses. Edit those.

export type PlanName = 'free' | 'starter' | 'pro' | 'business';

/** The stable codes of errors. */
export type ErrorCode =
  | 'missing_parameter'
  | 'invalid_parameter'
  | 'target_refused'
  | 'template_not_found'
  | 'unsupported_content'
  | 'custom_js_failed'
  | 'element_not_found'
  | 'element_not_visible'
  | 'secret_in_url'
  | 'invalid_body'
  | 'bad_request'
  | 'missing_api_key'
  | 'invalid_api_key_format'
  | 'invalid_api_key'
  | 'invalid_signature'
  | 'not_signed_in'
  | 'plan_required'
  | 'forbidden'
  | 'host_not_allowed'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_conflict'
  | 'body_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'capture_rejected'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'queue_full'
  | 'headers_too_large'
  | 'internal_error'
  | 'renderer_unavailable'
  | 'target_unreachable'
  | 'overloaded'
  | 'shutting_down'
  | 'storage_unavailable'
  | 'provider_unavailable'
  | 'render_timeout';

/** What suggests that a capture does not show the page. */
export type VerdictCode =
  | 'http_error'
  | 'blank'
  | 'bot_wall'
  | 'login_wall'
  | 'banner_left'
  | 'cut'
  | 'images_failed'
  | 'unfinished';

/** What is captured: exactly one of these. */
export type CaptureSource =
  | {
      /** The page. It must be public. */
      readonly url: string;
      readonly html?: undefined;
      readonly markdown?: undefined;
    }
  | {
      /** A page to capture instead of url. It has a web origin of its own, and what it loads must be public. */
      readonly html: string;
      readonly url?: undefined;
      readonly markdown?: undefined;
    }
  | {
      /** A text to capture instead of url, in the Markdown of GitHub, with a style of its own. Its first heading is the title of the page. */
      readonly markdown: string;
      readonly url?: undefined;
      readonly html?: undefined;
    };

/** What is read: exactly one of these. */
export type ContentSource =
  | {
      /** The page. It must be public. */
      readonly url: string;
      readonly html?: undefined;
    }
  | {
      /** A page to read instead of url. */
      readonly html: string;
      readonly url?: undefined;
    };

/** How a picture of a page is taken. */
export type ScreenshotOptions = {
  /** The output format. Default: "png". */
  readonly format?: 'png' | 'jpg' | 'webp' | 'avif' | undefined;
  /** Where relative links of html and markdown lead. */
  readonly baseUrl?: string | undefined;
  /** Width of the viewport in CSS pixels. Default: 1280. */
  readonly width?: number | undefined;
  /** Height of the viewport in CSS pixels. Default: 800. */
  readonly height?: number | undefined;
  /** Compression quality of jpg, webp, avif. Default: 80. */
  readonly quality?: number | undefined;
  /** Device pixel ratio: 2 gives twice as many pixels each way. Default: 1. */
  readonly deviceScale?: number | undefined;
  /** Milliseconds to wait before the capture, once the page has settled and after waitForSelector and customJS. Default: 0. */
  readonly delay?: number | undefined;
  /** Milliseconds for the whole request: queue, load, waits, capture. After that the response is 504. Default: 30000. */
  readonly timeout?: number | undefined;
  /** Capture the whole scrollable page instead of the viewport, lazy images included. What is taller than 40000 CSS pixels is cut, and a warning says so; webp: at most 16383 pixels a side, avif: 16384 and 20 megapixels, otherwise 400. Default: false. */
  readonly fullPage?: boolean | undefined;
  /** Wait until an element matches this CSS selector, at most until timeout. */
  readonly waitForSelector?: string | undefined;
  /** When the page is ready: right after its load event, when it is at rest (its timers and animations are fast-forwarded), or in addition when no request is without a response. Each is bounded; a page that never rests is captured too. Default: "settled". */
  readonly waitUntil?: 'load' | 'settled' | 'networkidle' | undefined;
  /** Capture only this region of the page, x,y,w,h in CSS pixels. It may lie below the fold, and it overrides fullPage. */
  readonly clip?: string | readonly [number, number, number, number] | undefined;
  /** Capture only the first visible element that matches this CSS selector, wherever it is on the page. Not with clip or format=pdf. */
  readonly selector?: string | undefined;
  /** CSS pixels around selector. Default: 0. */
  readonly padding?: number | undefined;
  /** Elements that match become invisible and keep their room. */
  readonly hide?: string | undefined;
  /** Transparent where the page paints nothing. Not with jpg and pdf. Default: false. */
  readonly omitBackground?: boolean | undefined;
  /** Width of the output in pixels. Alone it keeps the aspect ratio; it never enlarges. Not with pdf. */
  readonly resizeWidth?: number | undefined;
  /** Height of the output in pixels, like resizeWidth. */
  readonly resizeHeight?: number | undefined;
  /** With resizeWidth and resizeHeight: inside is as large as fits into both; cover fills both and is cut at the edges; contain is padded to both, transparent or white. Where that would enlarge the picture, cover and contain give a smaller output of the same aspect ratio. Default: "inside". */
  readonly fit?: 'inside' | 'cover' | 'contain' | undefined;
  /** Remove cookie consent banners, by opting out where that is offered. Starter plan or higher. Default: false. */
  readonly blockCookies?: boolean | undefined;
  /** Block advertisements, trackers and chat widgets. Starter plan or higher. Default: false. */
  readonly blockAds?: boolean | undefined;
  /** Emulate prefers-color-scheme: dark. Starter plan or higher. Default: false. */
  readonly darkMode?: boolean | undefined;
  /** Emulate a device: viewport, scale, touch, mobile layout and user agent. width, height and deviceScale override it. Pro plan or higher. */
  readonly device?:
    | 'iphone-14'
    | 'iphone-14-pro-max'
    | 'ipad-air'
    | 'galaxy-s23'
    | 'macbook-pro'
    | 'iphone-15'
    | 'ipad-pro'
    | 'pixel-8'
    | 'galaxy-s24'
    | undefined;
  /** The user agent of the browser. It overrides that of device. Pro plan or higher. */
  readonly userAgent?: string | undefined;
  /** The language of the browser; also sets Accept-Language. Pro plan or higher. */
  readonly locale?: string | undefined;
  /** The time zone of the browser. Pro plan or higher. */
  readonly timezone?: string | undefined;
  /** Where the browser is: lat,lon in degrees, or lat,lon,accuracy with metres. The permission is granted. Pro plan or higher. */
  readonly geolocation?: string | readonly [number, number] | readonly [number, number, number] | undefined;
  /** The CSS media type; by default screen for images and print for PDF. Pro plan or higher. */
  readonly media?: 'screen' | 'print' | undefined;
  /** Emulate prefers-reduced-motion: reduce. Pro plan or higher. Default: false. */
  readonly reducedMotion?: boolean | undefined;
  /** CSS that is in the page before its first paint. Pro plan or higher. */
  readonly customCSS?: string | undefined;
  /** JavaScript run in the page before the capture, as the body of an async function. Pro plan or higher. */
  readonly customJS?: string | undefined;
  /** Headers that are sent with every request that the origin of url makes to itself, and with no other. Pro plan or higher. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Cookies that are set before the page loads. Their domain is the host of url or a parent of it. Pro plan or higher. */
  readonly cookies?:
    | readonly {
        readonly name: string;
        readonly value: string;
        readonly domain?: string;
        readonly path?: string;
        readonly secure?: boolean;
        readonly httpOnly?: boolean;
        readonly sameSite?: 'Strict' | 'Lax' | 'None';
      }[]
    | undefined;
  /** User name and password for the origin of url, sent as the headers are. Pro plan or higher. */
  readonly basicAuth?:
    | {
        readonly username: string;
        readonly password: string;
      }
    | undefined;
  /** Render again even if a cached result exists; the new result replaces it. Default: false. */
  readonly fresh?: boolean | undefined;
  /** The maximum age of a cached result in seconds, from 60 to the plan's cache lifetime; also the max-age of the response. */
  readonly ttl?: number | undefined;
  /** Return a cached result that is too old at once, and render it again in the background. With fresh=true it is rendered first, and the cached result is returned only if that fails. Default: false. */
  readonly stale?: boolean | undefined;
  /** Return 422 if the verdict has one of these codes. Such a capture is not cached and not counted as a render. */
  readonly failOn?: 'any' | VerdictCode | readonly VerdictCode[] | undefined;
};

/** How a PDF of a page is printed. */
export type PdfOptions = {
  /** Where relative links of html and markdown lead. */
  readonly baseUrl?: string | undefined;
  /** Width of the viewport in CSS pixels. Default: 1280. */
  readonly width?: number | undefined;
  /** Height of the viewport in CSS pixels. Default: 800. */
  readonly height?: number | undefined;
  /** Device pixel ratio: 2 gives twice as many pixels each way. Default: 1. */
  readonly deviceScale?: number | undefined;
  /** Milliseconds to wait before the capture, once the page has settled and after waitForSelector and customJS. Default: 0. */
  readonly delay?: number | undefined;
  /** Milliseconds for the whole request: queue, load, waits, capture. After that the response is 504. Default: 30000. */
  readonly timeout?: number | undefined;
  /** Wait until an element matches this CSS selector, at most until timeout. */
  readonly waitForSelector?: string | undefined;
  /** When the page is ready: right after its load event, when it is at rest (its timers and animations are fast-forwarded), or in addition when no request is without a response. Each is bounded; a page that never rests is captured too. Default: "settled". */
  readonly waitUntil?: 'load' | 'settled' | 'networkidle' | undefined;
  /** Elements that match become invisible and keep their room. */
  readonly hide?: string | undefined;
  /** Remove cookie consent banners, by opting out where that is offered. Starter plan or higher. Default: false. */
  readonly blockCookies?: boolean | undefined;
  /** Block advertisements, trackers and chat widgets. Starter plan or higher. Default: false. */
  readonly blockAds?: boolean | undefined;
  /** Emulate prefers-color-scheme: dark. Starter plan or higher. Default: false. */
  readonly darkMode?: boolean | undefined;
  /** Emulate a device: viewport, scale, touch, mobile layout and user agent. width, height and deviceScale override it. Pro plan or higher. */
  readonly device?:
    | 'iphone-14'
    | 'iphone-14-pro-max'
    | 'ipad-air'
    | 'galaxy-s23'
    | 'macbook-pro'
    | 'iphone-15'
    | 'ipad-pro'
    | 'pixel-8'
    | 'galaxy-s24'
    | undefined;
  /** The user agent of the browser. It overrides that of device. Pro plan or higher. */
  readonly userAgent?: string | undefined;
  /** The language of the browser; also sets Accept-Language. Pro plan or higher. */
  readonly locale?: string | undefined;
  /** The time zone of the browser. Pro plan or higher. */
  readonly timezone?: string | undefined;
  /** Where the browser is: lat,lon in degrees, or lat,lon,accuracy with metres. The permission is granted. Pro plan or higher. */
  readonly geolocation?: string | readonly [number, number] | readonly [number, number, number] | undefined;
  /** The CSS media type; by default screen for images and print for PDF. Pro plan or higher. */
  readonly media?: 'screen' | 'print' | undefined;
  /** Emulate prefers-reduced-motion: reduce. Pro plan or higher. Default: false. */
  readonly reducedMotion?: boolean | undefined;
  /** CSS that is in the page before its first paint. Pro plan or higher. */
  readonly customCSS?: string | undefined;
  /** JavaScript run in the page before the capture, as the body of an async function. Pro plan or higher. */
  readonly customJS?: string | undefined;
  /** Headers that are sent with every request that the origin of url makes to itself, and with no other. Pro plan or higher. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Cookies that are set before the page loads. Their domain is the host of url or a parent of it. Pro plan or higher. */
  readonly cookies?:
    | readonly {
        readonly name: string;
        readonly value: string;
        readonly domain?: string;
        readonly path?: string;
        readonly secure?: boolean;
        readonly httpOnly?: boolean;
        readonly sameSite?: 'Strict' | 'Lax' | 'None';
      }[]
    | undefined;
  /** User name and password for the origin of url, sent as the headers are. Pro plan or higher. */
  readonly basicAuth?:
    | {
        readonly username: string;
        readonly password: string;
      }
    | undefined;
  /** Render again even if a cached result exists; the new result replaces it. Default: false. */
  readonly fresh?: boolean | undefined;
  /** The maximum age of a cached result in seconds, from 60 to the plan's cache lifetime; also the max-age of the response. */
  readonly ttl?: number | undefined;
  /** Return a cached result that is too old at once, and render it again in the background. With fresh=true it is rendered first, and the cached result is returned only if that fails. Default: false. */
  readonly stale?: boolean | undefined;
  /** Return 422 if the verdict has one of these codes. Such a capture is not cached and not counted as a render. */
  readonly failOn?: 'any' | VerdictCode | readonly VerdictCode[] | undefined;
  /** Size of the PDF page. It overrides an @page rule of the page, as landscape and margin do. Starter plan or higher. Default: "letter". */
  readonly pageSize?: 'a4' | 'letter' | 'legal' | 'tabloid' | 'a3' | 'a5' | undefined;
  /** Turn the PDF page to landscape. Starter plan or higher. Default: false. */
  readonly landscape?: boolean | undefined;
  /** Margins of the PDF page in millimetres: top,right,bottom,left. None by default, whatever an @page rule of the page says; 15 with a header or footer, 20 for markdown. Starter plan or higher. */
  readonly margin?: string | readonly [number, number, number, number] | undefined;
  /** HTML printed at the top of every PDF page. Elements with the class pageNumber, totalPages, title, url or date are filled in. Starter plan or higher. */
  readonly headerTemplate?: string | undefined;
  /** HTML printed at the bottom of every PDF page, like headerTemplate. Starter plan or higher. */
  readonly footerTemplate?: string | undefined;
  /** Print background colors and images. Starter plan or higher. Default: true. */
  readonly printBackground?: boolean | undefined;
  /** Which pages of the PDF to keep. A page beyond the last is a 400. Starter plan or higher. */
  readonly pageRanges?: string | undefined;
  /** One PDF page as long as the content, at the width of pageSize; landscape, margin, scale and templates hold. What is longer than 200 inches is cut, and a warning says so. Not with pageRanges. Starter plan or higher. Default: false. */
  readonly singlePage?: boolean | undefined;
  /** Scale of the page in the PDF. Starter plan or higher. Default: 1. */
  readonly scale?: number | undefined;
};

/** How the text of a page is read. */
export type ContentOptions = {
  /** Where relative links of html lead. */
  readonly baseUrl?: string | undefined;
  /** How the text is written: Markdown, plain text as a person would copy it, or sanitised HTML. Default: "markdown". */
  readonly format?: 'markdown' | 'text' | 'html' | undefined;
  /** Read only the first visible element that matches this CSS selector. */
  readonly selector?: string | undefined;
  /** The text is cut after this many characters, and `truncated` is true. Default: 1000000. */
  readonly maxChars?: number | undefined;
  /** Width of the viewport in CSS pixels. Default: 1280. */
  readonly width?: number | undefined;
  /** Height of the viewport in CSS pixels. Default: 800. */
  readonly height?: number | undefined;
  /** Emulate a device: viewport, scale, touch, mobile layout and user agent. width, height and deviceScale override it. Pro plan or higher. */
  readonly device?:
    | 'iphone-14'
    | 'iphone-14-pro-max'
    | 'ipad-air'
    | 'galaxy-s23'
    | 'macbook-pro'
    | 'iphone-15'
    | 'ipad-pro'
    | 'pixel-8'
    | 'galaxy-s24'
    | undefined;
  /** Milliseconds to wait before the capture, once the page has settled and after waitForSelector and customJS. Default: 0. */
  readonly delay?: number | undefined;
  /** Milliseconds for the whole request: queue, load, waits, capture. After that the response is 504. Default: 30000. */
  readonly timeout?: number | undefined;
  /** Wait until an element matches this CSS selector, at most until timeout. */
  readonly waitForSelector?: string | undefined;
  /** When the page is ready: right after its load event, when it is at rest (its timers and animations are fast-forwarded), or in addition when no request is without a response. Each is bounded; a page that never rests is captured too. Default: "settled". */
  readonly waitUntil?: 'load' | 'settled' | 'networkidle' | undefined;
  /** Elements that match are left out. */
  readonly hide?: string | undefined;
  /** Remove cookie consent banners, by opting out where that is offered. Starter plan or higher. Default: false. */
  readonly blockCookies?: boolean | undefined;
  /** Block advertisements, trackers and chat widgets. Starter plan or higher. Default: false. */
  readonly blockAds?: boolean | undefined;
  /** Emulate prefers-color-scheme: dark. Starter plan or higher. Default: false. */
  readonly darkMode?: boolean | undefined;
  /** The user agent of the browser. It overrides that of device. Pro plan or higher. */
  readonly userAgent?: string | undefined;
  /** The language of the browser; also sets Accept-Language. Pro plan or higher. */
  readonly locale?: string | undefined;
  /** The time zone of the browser. Pro plan or higher. */
  readonly timezone?: string | undefined;
  /** Where the browser is: lat,lon in degrees, or lat,lon,accuracy with metres. The permission is granted. Pro plan or higher. */
  readonly geolocation?: string | readonly [number, number] | readonly [number, number, number] | undefined;
  /** The CSS media type; by default screen for images and print for PDF. Pro plan or higher. */
  readonly media?: 'screen' | 'print' | undefined;
  /** Emulate prefers-reduced-motion: reduce. Pro plan or higher. Default: false. */
  readonly reducedMotion?: boolean | undefined;
  /** CSS that is in the page before its first paint. Pro plan or higher. */
  readonly customCSS?: string | undefined;
  /** JavaScript run in the page before it is read, as the body of an async function. Pro plan or higher. */
  readonly customJS?: string | undefined;
  /** Headers that are sent with every request that the origin of url makes to itself, and with no other. Pro plan or higher. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Cookies that are set before the page loads. Their domain is the host of url or a parent of it. Pro plan or higher. */
  readonly cookies?:
    | readonly {
        readonly name: string;
        readonly value: string;
        readonly domain?: string;
        readonly path?: string;
        readonly secure?: boolean;
        readonly httpOnly?: boolean;
        readonly sameSite?: 'Strict' | 'Lax' | 'None';
      }[]
    | undefined;
  /** User name and password for the origin of url, sent as the headers are. Pro plan or higher. */
  readonly basicAuth?:
    | {
        readonly username: string;
        readonly password: string;
      }
    | undefined;
  /** Render again even if a cached result exists; the new result replaces it. Default: false. */
  readonly fresh?: boolean | undefined;
  /** The maximum age of a cached result in seconds, from 60 to the plan's cache lifetime; also the max-age of the response. */
  readonly ttl?: number | undefined;
  /** Return a cached result that is too old at once, and render it again in the background. With fresh=true it is rendered first, and the cached result is returned only if that fails. Default: false. */
  readonly stale?: boolean | undefined;
  /** Return 422 if the verdict has one of these codes. Such a capture is not cached and not counted as a render. */
  readonly failOn?: 'any' | VerdictCode | readonly VerdictCode[] | undefined;
};

/** The shape of a card. */
export type OgOptions = {
  /** The output format. Default: "png". */
  readonly format?: 'png' | 'jpg' | 'webp' | 'avif' | undefined;
  /** Width of the card in pixels. Default: 1200. */
  readonly width?: number | undefined;
  /** Height of the card in pixels. Default: 630. */
  readonly height?: number | undefined;
  /** Compression quality of jpg, webp, avif. Default: 80. */
  readonly quality?: number | undefined;
  /** Render again even if a cached result exists; the new result replaces it. Default: false. */
  readonly fresh?: boolean | undefined;
};

/** These are taken from a body only, and cannot be in a link. */
export type BodyOnly = 'html' | 'markdown' | 'headers' | 'cookies' | 'basicAuth';

/** Which jobs are listed. */
export type JobListOptions = {
  /** Only jobs with this status. */
  readonly status?: 'queued' | 'running' | 'done' | 'failed' | 'canceled' | undefined;
  /** How many jobs. Default: 20. */
  readonly limit?: number | undefined;
  /** Only jobs that were made before this one: `next` of the list before. */
  readonly after?: string | undefined;
};

/**
 * The variables of each built-in template. Add the templates of your own server to it:
 * `declare module '@tintype/client' { interface TemplateVariables { 'team-card': { title?: string } } }`
 */
export interface TemplateVariables {
  /** A poster for one piece of news: few words, centred, as large as they go. */
  announcement: {
    /** The headline. It takes the largest size at which it fits. Default: Big news. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** A word or two in a pill above the headline. */
    readonly badge?: string | number | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #fde047. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #4338ca. */
    readonly bgColor?: string | undefined;
  };
  /** An article on warm paper: a serif headline, the author and the date, with or without a picture. */
  'blog-post': {
    /** The headline. It takes the largest size at which it fits. Default: Untitled. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** Who wrote it. Without an avatar, the initials are shown. */
    readonly author?: string | number | undefined;
    /** A date, shown as written. */
    readonly date?: string | number | undefined;
    /** A word above the headline, such as the section. */
    readonly category?: string | number | undefined;
    /** A picture of the author, cut to a circle. An https address. */
    readonly avatar?: string | undefined;
    /** A picture beside the text; above it on square and tall cards. An https address. */
    readonly image?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #b4442e. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #faf7f1. */
    readonly bgColor?: string | undefined;
  };
  /** A release on a time line: the version, its date and what changed. */
  'changelog-card': {
    /** The headline. It takes the largest size at which it fits. Default: What’s new. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** The version, such as v2.4.0. */
    readonly version?: string | number | undefined;
    /** A date, shown as written. */
    readonly date?: string | number | undefined;
    /** What changed, one a line. A list. */
    readonly change_items?: readonly string[] | string | undefined;
    /** Who wrote it. Without an avatar, the initials are shown. */
    readonly author?: string | number | undefined;
    /** A picture of the author, cut to a circle. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #c2410c. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #ffffff. */
    readonly bgColor?: string | undefined;
  };
  /** A few lines of code in an editor window. For snippets, gists and tutorials. */
  'code-snippet': {
    /** The code, with line breaks (%0A). Long code is set in a smaller size. Default: Hello, world. */
    readonly code?: string | number | undefined;
    /** A sentence above the window. */
    readonly title?: string | number | undefined;
    /** The name of the file, in the title bar. */
    readonly filename?: string | number | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #a78bfa. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #2e1065. */
    readonly bgColor?: string | undefined;
  };
  /** Two things side by side: before and after, this or that. */
  comparison: {
    /** A sentence above both. */
    readonly title?: string | number | undefined;
    /** The name of the first. Default: Before. */
    readonly left_title?: string | number | undefined;
    /** Points about the first, one per line. A list. */
    readonly left_items?: readonly string[] | string | undefined;
    /** The name of the second; it has the accent. Default: After. */
    readonly right_title?: string | number | undefined;
    /** Points about the second, one per line. A list. */
    readonly right_items?: readonly string[] | string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #2563eb. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #f1f5f9. */
    readonly bgColor?: string | undefined;
  };
  /** A headline on a quiet dark ground with a glow of the accent. For any page. */
  default: {
    /** The headline. It takes the largest size at which it fits. Default: Untitled. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** Who wrote it. Without an avatar, the initials are shown. */
    readonly author?: string | number | undefined;
    /** A date, shown as written. */
    readonly date?: string | number | undefined;
    /** A picture of the author, cut to a circle. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #6d5efc. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #0b0c10. */
    readonly bgColor?: string | undefined;
  };
  /** A page of documentation: its section, title and summary. */
  'docs-page': {
    /** The headline. It takes the largest size at which it fits. Default: Documentation. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** Where the page stands, parts separated by / or >. */
    readonly section?: string | number | undefined;
    /** The version the page is about. */
    readonly version?: string | number | undefined;
    /** The address of the page, or a command, in a monospaced face. */
    readonly path?: string | number | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #2563eb. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #ffffff. */
    readonly bgColor?: string | undefined;
  };
  /** An invitation in the shape of a ticket: what, when, where and who speaks. */
  event: {
    /** The headline. It takes the largest size at which it fits. Default: You are invited. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** The day, shown as written. */
    readonly date?: string | number | undefined;
    /** The time, shown as written. */
    readonly time?: string | number | undefined;
    /** Where it takes place. */
    readonly location?: string | number | undefined;
    /** Who speaks or hosts. */
    readonly author?: string | number | undefined;
    /** What the speaker does. */
    readonly role?: string | number | undefined;
    /** A picture of the author, cut to a circle. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #e11d48. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #ffe4e6. */
    readonly bgColor?: string | undefined;
  };
  /** An opening: the role, the company, location, type and salary. */
  job: {
    /** The role. Default: Join us. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** Where the work is done. */
    readonly location?: string | number | undefined;
    /** Full time, part time, contract… */
    readonly employment?: string | number | undefined;
    /** The pay, shown as written. */
    readonly salary?: string | number | undefined;
    /** A few words above the role. Default: We are hiring. */
    readonly label?: string | number | undefined;
    /** The name of the company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #bef264. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #14342b. */
    readonly bgColor?: string | undefined;
  };
  /** An episode: the cover, the show, the number, the guest, and a waveform. */
  podcast: {
    /** The title of the episode. Default: New episode. */
    readonly title?: string | number | undefined;
    /** The name of the show. */
    readonly show?: string | number | undefined;
    /** The number of the episode, such as Episode 42. */
    readonly episode?: string | number | undefined;
    /** The guest. */
    readonly guest?: string | number | undefined;
    /** The length, such as 48 min. */
    readonly duration?: string | number | undefined;
    /** The cover, square. An https address. */
    readonly cover?: string | undefined;
    /** The accent color. A color. Default: #e11d48. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #1a0f1f. */
    readonly bgColor?: string | undefined;
  };
  /** A plan and its price on one side, what is in it on the other. */
  pricing: {
    /** The name of the plan. Default: Simple pricing. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** The price, shown as written, such as $29. */
    readonly price?: string | number | undefined;
    /** What the price is for, such as a month. */
    readonly period?: string | number | undefined;
    /** A word or two in a pill, such as Popular. */
    readonly badge?: string | number | undefined;
    /** What is in the plan, one a line. A list. */
    readonly feature_items?: readonly string[] | string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #7c3aed. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #f5f3ff. */
    readonly bgColor?: string | undefined;
  };
  /** A thing for sale: its name, what it is, its price and its picture. */
  product: {
    /** The headline. It takes the largest size at which it fits. Default: New arrival. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** The price, shown as written, such as €49. */
    readonly price?: string | number | undefined;
    /** The price before, shown struck through. */
    readonly old_price?: string | number | undefined;
    /** A word or two in a pill, such as New. */
    readonly badge?: string | number | undefined;
    /** The picture of the product, to the edge of the card. An https address. */
    readonly image?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #1d4ed8. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #f4f4f2. */
    readonly bgColor?: string | undefined;
  };
  /** A person or a team: picture, name, what they do, and where to find them. */
  profile: {
    /** The name. Default: Hello. */
    readonly title?: string | number | undefined;
    /** What the person does. */
    readonly role?: string | number | undefined;
    /** A sentence about them. */
    readonly description?: string | number | undefined;
    /** An address or user name. */
    readonly handle?: string | number | undefined;
    /** A picture, cut to a circle. Without one the initials are shown. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #0f766e. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #f0fdfa. */
    readonly bgColor?: string | undefined;
  };
  /** Somebody’s words, large and in italics, and who said them. For testimonials too. */
  quote: {
    /** The words. Quotation marks are drawn. Default: Words worth keeping.. */
    readonly title?: string | number | undefined;
    /** Who said them. */
    readonly author?: string | number | undefined;
    /** What the person does, or where the words come from. */
    readonly role?: string | number | undefined;
    /** A picture of the person, cut to a circle. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #d97706. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #1c1917. */
    readonly bgColor?: string | undefined;
  };
  /** A code repository: owner and name, what it does, its language and its figures. */
  repository: {
    /** The name of the repository. Default: repository. */
    readonly title?: string | number | undefined;
    /** Who it belongs to. */
    readonly owner?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** The language it is mostly written in. */
    readonly language?: string | number | undefined;
    /** The number of stars, shown as written. */
    readonly stars?: string | number | undefined;
    /** How many forks. */
    readonly forks?: string | number | undefined;
    /** How many open issues. */
    readonly issues?: string | number | undefined;
    /** The picture of the owner, in a rounded square. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #3178c6. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #ffffff. */
    readonly bgColor?: string | undefined;
  };
  /** One to four figures, large. For reports, milestones and years in review. */
  'stats-card': {
    /** The headline. It takes the largest size at which it fits. Default: In numbers. */
    readonly title?: string | number | undefined;
    /** A sentence or two under the headline. */
    readonly description?: string | number | undefined;
    /** Figure 1, shown as written, such as 99.98% or 1.2M. */
    readonly stat1_number?: string | number | undefined;
    /** What figure 1 counts. */
    readonly stat1_label?: string | number | undefined;
    /** Figure 2, shown as written, such as 99.98% or 1.2M. */
    readonly stat2_number?: string | number | undefined;
    /** What figure 2 counts. */
    readonly stat2_label?: string | number | undefined;
    /** Figure 3, shown as written, such as 99.98% or 1.2M. */
    readonly stat3_number?: string | number | undefined;
    /** What figure 3 counts. */
    readonly stat3_label?: string | number | undefined;
    /** Figure 4, shown as written, such as 99.98% or 1.2M. */
    readonly stat4_number?: string | number | undefined;
    /** What figure 4 counts. */
    readonly stat4_label?: string | number | undefined;
    /** Who wrote it. Without an avatar, the initials are shown. */
    readonly author?: string | number | undefined;
    /** A date, shown as written. */
    readonly date?: string | number | undefined;
    /** A picture of the author, cut to a circle. An https address. */
    readonly avatar?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #4ade80. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #07201a. */
    readonly bgColor?: string | undefined;
  };
  /** A film or a talk: its picture to the edges, a play button, the title and the length. */
  video: {
    /** The headline. It takes the largest size at which it fits. Default: Watch now. */
    readonly title?: string | number | undefined;
    /** Whose it is, under the title. */
    readonly author?: string | number | undefined;
    /** The length, such as 12:40. */
    readonly duration?: string | number | undefined;
    /** A still, to the edges of the card. It is darkened so that the title can be read. An https address. */
    readonly image?: string | undefined;
    /** The name of the site or company. */
    readonly site?: string | number | undefined;
    /** The logo of the site, shown 36 pixels high. An https address. */
    readonly logo?: string | undefined;
    /** The accent color. A color. Default: #ef4444. */
    readonly accent?: string | undefined;
    /** The background color. Text is dark or light, whichever is legible. A color. Default: #15151d. */
    readonly bgColor?: string | undefined;
  };
}

/** Whether the capture shows the page, and what suggests that it does not. */
export type Verdict = {
  /** True when there are no codes. */
  readonly ok: boolean;
  readonly codes: readonly VerdictCode[];
};

export type ScreenshotMetadata = {
  /** Null where the caller sent the page. */
  readonly url: string | null;
  readonly source: 'url' | 'html' | 'markdown';
  /** Opens without a key, until the result expires; for a page behind a login at most for an hour. Null where the result could not be stored. */
  readonly imageUrl: string | null;
  /** Output pixels; for a PDF the width of its page in points. */
  readonly width: number;
  /** Output pixels; for a PDF the height of its page in points. */
  readonly height: number;
  readonly format: OutputFormat;
  /** File size in bytes. */
  readonly size: number;
  /** PDF only: how many pages it has. */
  readonly pages?: number;
  readonly page: {
    /** The status with which the page answered. */
    readonly status: number;
    /** After redirects. Null where it is the page that the caller sent. */
    readonly finalUrl: string | null;
    /** The title of the page. */
    readonly title: string;
  };
  readonly verdict: Verdict;
  /** Milliseconds. */
  readonly renderTime: number;
  /** Unix time in milliseconds; null when freshly rendered. */
  readonly cachedAt: number | null;
  /** What a person would want to know. */
  readonly warnings: readonly string[];
};

export type OgMetadata = {
  /** The name of the template. */
  readonly template: string;
  /** Opens without a key, until the result expires; for a page behind a login at most for an hour. Null where the result could not be stored. */
  readonly imageUrl: string | null;
  /** Output pixels; for a PDF the width of its page in points. */
  readonly width: number;
  /** Output pixels; for a PDF the height of its page in points. */
  readonly height: number;
  readonly format: CardFormat;
  /** File size in bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly renderTime: number;
  /** Unix time in milliseconds; null when freshly rendered. */
  readonly cachedAt: number | null;
  /** What a person would want to know. */
  readonly warnings: readonly string[];
};

export type ContentMetadata = {
  /** Null where the caller sent the page. */
  readonly url: string | null;
  readonly source: 'url' | 'html';
  /** The title of the article or of the page. */
  readonly title: string | null;
  /** A summary by its author. */
  readonly description: string | null;
  /** As the page declares it, such as `en` or `pt-BR`. */
  readonly language: string | null;
  /** Who wrote it. */
  readonly byline: string | null;
  /** The name of the site. */
  readonly siteName: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
  /** The address of the picture that represents it. */
  readonly image: string | null;
  /** The address of the icon of the site. */
  readonly favicon: string | null;
  /** The address that the page calls its own. */
  readonly canonical: string | null;
  /** Without duplicates, in the order of the page. */
  readonly links: readonly {
    /** The address. */
    readonly href: string;
    /** The text of the link. */
    readonly text: string;
  }[];
  readonly format: TextFormat;
  /** The text. */
  readonly content: string;
  /** Of the whole text, also where it was cut. */
  readonly words: number;
  /** The text was cut. */
  readonly truncated: boolean;
  readonly page: {
    /** The status with which the page answered. */
    readonly status: number;
    /** After redirects. Null where it is the page that the caller sent. */
    readonly finalUrl: string | null;
    /** The title of the page. */
    readonly title: string;
  };
  readonly verdict: Verdict;
  /** Milliseconds. */
  readonly renderTime: number;
  /** Unix time in milliseconds; null when freshly rendered. */
  readonly cachedAt: number | null;
  /** What a person would want to know. */
  readonly warnings: readonly string[];
};

export type Usage = {
  readonly plan: PlanName;
  readonly period: {
    /** Unix milliseconds. */
    readonly from: number;
    /** Unix milliseconds. */
    readonly to: number;
  };
  readonly quota: {
    /** Null where the plan has no monthly allowance. */
    readonly limit: number | null;
    readonly used: number;
    /** Null where the plan has no monthly allowance. */
    readonly remaining: number | null;
    /** Unix milliseconds. */
    readonly resetAt: number;
  };
  /** Renders a minute. */
  readonly rate: {
    readonly limit: number;
    readonly remaining: number;
    /** Unix milliseconds. */
    readonly resetAt: number;
  };
  readonly requests: {
    readonly renders: number;
    readonly hits: number;
    readonly errors: number;
  };
};

export type AcceptedJob = {
  readonly id: string;
  readonly statusUrl: string;
  readonly createdAt: number;
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'canceled';
};

export type AcceptedBatch = {
  readonly id: string;
  readonly statusUrl: string;
  readonly createdAt: number;
  readonly counts: {
    readonly queued: number;
    readonly running: number;
    readonly done: number;
    readonly failed: number;
    readonly canceled: number;
  };
};

export type ErrorBody = {
  /** A sentence for a person. */
  readonly error: string;
  /** For programs. It does not change. */
  readonly code: ErrorCode;
  /** The parameter at fault, where one is. */
  readonly parameter?: string;
  /** With plan_required: the lowest plan that has it. */
  readonly requiredPlan?: PlanName;
  readonly verdict?: Verdict;
  /** Also in the X-Request-Id header and in the log. */
  readonly requestId: string;
};

/** The format of the file. */
export type OutputFormat = 'png' | 'jpg' | 'webp' | 'avif' | 'pdf';

/** The format of the file. */
export type CardFormat = 'png' | 'jpg' | 'webp' | 'avif';

/** The format of the text. */
export type TextFormat = 'markdown' | 'text' | 'html';

export const cardMediaTypes: Readonly<Record<CardFormat, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** The size of a card whose width and height are not given. */
export const cardSize = { width: 1200, height: 630 } as const;
