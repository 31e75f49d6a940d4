// The parameters of both endpoints as docs/contract.md fixes them. Nothing here is read from src/: a wrong range in a
// parameter table has to fail a test.

export type Expected = {
  /** Accepted values, those at the limits included. */
  readonly good: readonly string[];
  /** Refused values, those just beyond the limits included. */
  readonly bad: readonly string[];
  /** Completes the sentence of the 400: "width must be …". */
  readonly allowed: string;
  readonly default?: string | number | boolean;
  /** What holds where it is not given, as a value: it depends on other parameters, so that the table has no default. */
  readonly usual?: string;
  /** The lowest plan that may use it. */
  readonly plan?: 'starter' | 'pro';
  readonly pdfOnly?: true;
  /** Its type in JSON; a string if not given. */
  readonly type?: 'number' | 'boolean' | 'numbers' | 'object';
  /** Only the body of a POST has it, and a GET is refused with this code. */
  readonly postOnly?: 'invalid_parameter' | 'secret_in_url';
  /** It makes sense only beside these, and instead of `url` if that is null. */
  readonly beside?: Readonly<Record<string, string | null>>;
};

/** A value as JSON has it. What cannot be written in its type is sent as a string, which is refused. */
export function inJson({ type }: Expected, value: string): unknown {
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'numbers') return /^-?\d+(\.\d+)?(,-?\d+(\.\d+)?)*$/.test(value) ? value.split(',').map(Number) : value;
  return type === 'object' ? JSON.parse(value) : value;
}

/** The text of the 400: nothing but the name, what is allowed, and for `ttl` the number of the plan. */
export const errorFor = (name: string, { allowed }: Expected): RegExp =>
  new RegExp(`^${RegExp.escape(`${name} must be ${allowed}`)}[.;]`);

// What lenient number parsers accept: exponents, hexadecimal, blanks, signs, other digits.
const notNumbers = ['', ' 5', '5 ', '1e3', '0x10', 'Infinity', 'NaN', '+5', '-1', '1_000', '５', 'ten', '1,5'];

const whole = (good: string[], bad: string[], allowed: string): Expected => ({
  good,
  bad: [...bad, '1.5', ...notNumbers],
  allowed,
  type: 'number',
});
const decimal = (good: string[], bad: string[], allowed: string): Expected => ({
  good,
  bad: [...bad, '.5', '1.', ...notNumbers],
  allowed,
  type: 'number',
});
const flag = (value: boolean): Expected => ({
  good: ['true', 'false'],
  // 1 and 0 are read as true and false in a query: see http-manners.test.ts.
  bad: ['', '2', '01', 'yes', 'TRUE', ' true'],
  allowed: 'true or false',
  default: value,
  type: 'boolean',
});
const oneOf = (...names: string[]): Expected => ({
  good: names,
  bad: ['', `${names[0]} `, `${names[0]}`.toUpperCase(), 'other'],
  allowed: `one of ${names.join(', ')}`,
});
const text = (longest: number, allowed: string): Expected => ({
  good: ['x', 'x'.repeat(longest)],
  bad: ['', 'x'.repeat(longest + 1)],
  allowed,
});
const selectors = (allowed: string): Expected => ({
  good: ['x', 'x'.repeat(1000), '#a > .b, [c="d"]:not(.e)'],
  bad: ['', 'x'.repeat(1001), '[[', 'a >', '> a', 'a,,b', '..a', '1a', 'a{}'],
  allowed,
});
/** Measured in bytes: an ä has two. */
const document = (bytes: number, allowed: string): Expected => ({
  good: ['x', 'x'.repeat(bytes), 'ä'.repeat(bytes / 2)],
  bad: ['', 'x'.repeat(bytes + 1), `x${'ä'.repeat(bytes / 2)}`],
  allowed,
});
const starterPdf = { plan: 'starter', pdfOnly: true } as const;

const quality = { ...whole(['1', '100', '50'], ['0', '101'], 'a whole number from 1 to 100'), default: 80 };
const response: Expected = { good: ['json'], bad: ['', 'JSON', 'json ', 'xml'], allowed: '"json"' };
const apiKey = text(200, 'an API key of 1 to 200 characters');
const codes = ['http_error', 'blank', 'bot_wall', 'login_wall', 'banner_left', 'cut', 'images_failed', 'unfinished'];

/** A target that is refused by its address: when the answer is `target_refused`, every earlier check has passed. */
export const refusedTarget = 'http://10.0.0.1/';

export const screenshotContract: Readonly<Record<string, Expected>> = {
  url: {
    good: [refusedTarget, 'https://10.0.0.1/', refusedTarget + 'x'.repeat(4096 - refusedTarget.length)],
    bad: [
      '',
      'example.com',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://',
      'http://[::1',
      refusedTarget + 'x'.repeat(4097 - refusedTarget.length),
    ],
    allowed: 'an http or https URL of at most 4096 characters',
  },
  html: {
    ...document(2_000_000, 'HTML of 1 to 2,000,000 bytes'),
    postOnly: 'invalid_parameter',
    beside: { url: null, baseUrl: refusedTarget },
  },
  markdown: {
    ...document(500_000, 'Markdown of 1 to 500,000 bytes'),
    postOnly: 'invalid_parameter',
    beside: { url: null, baseUrl: refusedTarget },
  },
  baseUrl: {
    good: [refusedTarget, 'https://10.0.0.1/a/b'],
    bad: [
      '',
      'example.com',
      '/relative',
      'file:///etc/passwd',
      'data:text/html,x',
      `https://e.test/${'x'.repeat(4096)}`,
    ],
    allowed: 'an http or https URL of at most 4096 characters',
    beside: { url: null, html: '<p>x</p>' },
  },
  format: { ...oneOf('png', 'jpg', 'webp', 'avif', 'pdf'), default: 'png' },
  width: { ...whole(['1', '3840', '1920'], ['0', '3841'], 'a whole number from 1 to 3840'), default: 1280 },
  height: { ...whole(['1', '3840', '1920'], ['0', '3841'], 'a whole number from 1 to 3840'), default: 800 },
  quality,
  deviceScale: {
    ...decimal(['1', '1.0', '3.0', '2.625', '1.3333333333333333'], ['0.99', '3.01'], 'a number from 1 to 3'),
    default: 1,
  },
  delay: { ...whole(['0', '10000', '5000'], ['10001'], 'a whole number from 0 to 10000'), default: 0 },
  timeout: { ...whole(['1', '60000', '30000'], ['0', '60001'], 'a whole number from 1 to 60000'), default: 30000 },
  fullPage: flag(false),
  waitForSelector: selectors('a valid CSS selector of 1 to 1000 characters'),
  waitUntil: { ...oneOf('load', 'settled', 'networkidle'), default: 'settled' },
  clip: {
    good: ['0,0,1,1', '100000,100000,32000,32000', '10,20,300,200'],
    bad: [
      ...['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '0, 0,10,10', '0,0,1.5,10', '0,0,1e3,10', '-1,0,10,10'],
      ...['0,0,0,10', '0,0,10,0', '100001,0,10,10', '0,100001,10,10', '0,0,32001,10', '0,0,10,32001'],
    ],
    allowed: 'four whole numbers x,y,w,h with x and y from 0 to 100000 and w and h from 1 to 32000',
    type: 'numbers',
  },
  selector: selectors('a valid CSS selector of 1 to 1000 characters'),
  padding: { ...whole(['0', '500', '20'], ['501'], 'a whole number from 0 to 500'), default: 0 },
  hide: selectors('a valid CSS selector list of 1 to 1000 characters'),
  omitBackground: flag(false),
  resizeWidth: whole(['1', '4096', '400'], ['0', '4097'], 'a whole number from 1 to 4096'),
  resizeHeight: whole(['1', '4096', '400'], ['0', '4097'], 'a whole number from 1 to 4096'),
  fit: { ...oneOf('inside', 'cover', 'contain'), default: 'inside' },
  userAgent: {
    good: ['x', 'x'.repeat(500), 'Größe/1.0 (X; Y)'],
    bad: ['', 'x'.repeat(501), 'a\nb', 'a\r\nX-Header: b', 'a\u0000b'],
    allowed: 'a user agent of 1 to 500 characters, without line breaks and control characters',
    plan: 'pro',
  },
  locale: {
    good: ['de', 'pt-BR', 'zh-Hant-TW', 'EN-us', 'en-US-u-hc-h12-ca-gregory'],
    bad: ['', 'd', 'de_DE', 'de-', 'de DE', 'a'.repeat(9), 'de,en', `de${'-abcdefgh'.repeat(21)}`],
    allowed: 'a language tag by BCP 47, such as de or pt-BR',
    plan: 'pro',
  },
  timezone: {
    good: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'],
    bad: ['', '+01:00', 'Europe', 'Europe/Nowhere', 'Europe/Berlin ', 'x'.repeat(100)],
    allowed: 'the IANA name of a time zone, such as Europe/Berlin',
    plan: 'pro',
  },
  geolocation: {
    good: ['0,0', '90,180', '-90,-180,0', '52.52,13.405,999999'],
    bad: ['', '1', '1,2,3,4', '90.1,0', '0,180.1', '0,-181', '0,0,-1', '0,0,1000000', 'a,b', '1e1,2', ' 1,2'],
    allowed: 'lat,lon or lat,lon,accuracy: degrees from -90 to 90 and from -180 to 180, and metres from 0 to 999999',
    plan: 'pro',
    type: 'numbers',
  },
  media: { ...oneOf('screen', 'print'), usual: 'screen', plan: 'pro' },
  reducedMotion: { ...flag(false), plan: 'pro' },
  headers: {
    good: [
      '{"X-Token":"a"}',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${i}`, 'v']))),
      JSON.stringify({ 'x-a': 'v'.repeat(8 * 1024 - 3) }),
    ],
    bad: [
      ...['[]', '"x"', '{"X-A":1}', '{"X A":"b"}', '{"":"b"}', '{"x-a":"1","X-A":"2"}', '{"X-A":"a\\r\\nX-B: b"}'],
      ...[
        'Host',
        'content-length',
        'Connection',
        'Transfer-Encoding',
        'cookie',
        'Sec-Fetch-Mode',
        'Proxy-Authorization',
        'TE',
        'trailer',
        'Upgrade',
        'Keep-Alive',
        'Set-Cookie',
        'X-HTTP-Method-Override',
      ].map((name) => JSON.stringify({ [name]: 'x' })),
      JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, 'v']))),
      JSON.stringify({ 'x-a': 'v'.repeat(8 * 1024 - 2) }),
    ],
    allowed:
      'an object of at most 20 headers and 8 KB, with values of Latin-1 characters without line breaks, and without Host, Content-Length, Connection, Transfer-Encoding, Cookie, Sec-*, Proxy-* and others that only a browser sets',
    usual: '{}',
    plan: 'pro',
    type: 'object',
    postOnly: 'secret_in_url',
  },
  cookies: {
    good: [
      '[]',
      '[{"name":"a","value":"b"}]',
      '[{"name":"a","value":"","path":"/x","secure":true,"httpOnly":true,"sameSite":"Lax"}]',
    ],
    bad: [
      ...['{}', '"x"', '[1]', '[{"name":"a"}]', '[{"name":"","value":"b"}]', '[{"name":"a b","value":"c"}]'],
      ...['[{"name":"a","value":"b;c"}]', '[{"name":"a","value":"b\\n"}]', '[{"name":"a","value":"b","path":"x"}]'],
      ...['[{"name":"a","value":"b","sameSite":"Other"}]', '[{"name":"a","value":"b","other":1}]'],
      JSON.stringify([{ name: 'a', value: 'v'.repeat(4096) }]),
      JSON.stringify(Array.from({ length: 51 }, (_, i) => ({ name: `c${i}`, value: 'v' }))),
    ],
    allowed:
      'an array of at most 50 objects {name, value, domain?, path?, secure?, httpOnly?, sameSite?}, each of at most 4 KB, with values of Latin-1 characters without ";"',
    usual: '[]',
    beside: { url: 'https://10.0.0.1/' },
    plan: 'pro',
    type: 'object',
    postOnly: 'secret_in_url',
  },
  basicAuth: {
    good: ['{"username":"a","password":"b"}', JSON.stringify({ username: 'u'.repeat(500), password: 'p'.repeat(500) })],
    bad: [
      ...['[]', '"x"', '{"username":"a"}', '{"username":"a:b","password":"c"}', '{"username":"a","password":"b\\n"}'],
      JSON.stringify({ username: 'u'.repeat(501), password: 'p' }),
    ],
    allowed:
      'an object {username, password} of at most 500 characters each, without line breaks and without ":" in username',
    plan: 'pro',
    type: 'object',
    postOnly: 'secret_in_url',
  },
  blockCookies: { ...flag(false), plan: 'starter' },
  blockAds: { ...flag(false), plan: 'starter' },
  darkMode: { ...flag(false), plan: 'starter' },
  device: {
    ...oneOf(
      ...['iphone-14', 'iphone-14-pro-max', 'ipad-air', 'galaxy-s23', 'macbook-pro'],
      ...['iphone-15', 'ipad-pro', 'pixel-8', 'galaxy-s24'],
    ),
    plan: 'pro',
  },
  customCSS: { ...text(50000, 'CSS of 1 to 50000 characters'), plan: 'pro' },
  customJS: { ...text(50000, 'JavaScript of 1 to 50000 characters'), plan: 'pro' },
  response,
  api_key: apiKey,
  fresh: flag(false),
  // 5,184,000 seconds are the 60 days of Business, the plan that these tests use.
  ttl: whole(['60', '5184000'], ['59', '5184001'], "a whole number of seconds from 60 to the plan's cache lifetime"),
  stale: flag(false),
  failOn: {
    good: ['any', ...codes, codes.join(), [...codes].reverse().join()],
    bad: ['', 'other', 'blank,', 'blank,blank', 'blank, cut', 'any,blank'],
    allowed: `any, or one or more of ${codes.join(', ')}, each at most once, separated by commas without spaces`,
  },
  pageSize: { ...oneOf('a4', 'letter', 'legal', 'tabloid', 'a3', 'a5'), default: 'letter', ...starterPdf },
  landscape: { ...flag(false), ...starterPdf },
  margin: {
    good: ['0,0,0,0', '10,12.5,10,12.5', '7.619999999999999,0,0,0', '500,500,500,500'],
    usual: '0,0,0,0',
    bad: ['', '10', '10,10,10', '1,1,1,1,1', '10,10,10,-1', '10,10,10,1e1', '10 10 10 10', '501,0,0,0', '0,0,0,500.1'],
    allowed: 'four numbers top,right,bottom,left in millimetres, each from 0 to 500',
    type: 'numbers',
    ...starterPdf,
  },
  headerTemplate: { ...text(20000, 'HTML of 1 to 20000 characters'), ...starterPdf },
  footerTemplate: { ...text(20000, 'HTML of 1 to 20000 characters'), ...starterPdf },
  printBackground: { ...flag(true), ...starterPdf },
  pageRanges: {
    good: ['1', '1-3,5', '99999', '2-2', Array.from({ length: 50 }, (_, i) => i + 1).join()],
    bad: [
      '',
      '0',
      '1-',
      '-3',
      '3-1',
      '1,,2',
      '1 - 3',
      'all',
      '100000',
      Array.from({ length: 51 }, (_, i) => i + 1).join(),
    ],
    allowed: 'page numbers and ranges from 1 on, such as 1-3,5, at most 50 of them',
    ...starterPdf,
  },
  singlePage: { ...flag(false), ...starterPdf },
  scale: { ...decimal(['0.1', '2.0', '1.05'], ['0.09', '2.01'], 'a number from 0.1 to 2'), default: 1, ...starterPdf },
};

export const ogContract: Readonly<Record<string, Expected>> = {
  format: { ...oneOf('png', 'jpg', 'webp', 'avif'), default: 'png' },
  width: { ...whole(['100', '4096', '1200'], ['99', '4097'], 'a whole number from 100 to 4096'), default: 1200 },
  height: { ...whole(['100', '4096', '630'], ['99', '4097'], 'a whole number from 100 to 4096'), default: 630 },
  quality,
  response,
  api_key: apiKey,
  fresh: flag(false),
};
