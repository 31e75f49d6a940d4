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
  /** The lowest plan that may use it. */
  readonly plan?: 'starter' | 'pro';
  readonly pdfOnly?: true;
};

/** The text of the 400: nothing but the name, what is allowed, and for `ttl` the number of the plan. */
export const errorFor = (name: string, { allowed }: Expected): RegExp =>
  new RegExp(`^${RegExp.escape(`${name} must be ${allowed}`)}[.;]`);

// What lenient number parsers accept: exponents, hexadecimal, blanks, signs, other digits.
const notNumbers = ['', ' 5', '5 ', '1e3', '0x10', 'Infinity', 'NaN', '+5', '-1', '1_000', '５', 'ten', '1,5'];

const whole = (good: string[], bad: string[], allowed: string): Expected => ({
  good,
  bad: [...bad, '1.5', ...notNumbers],
  allowed,
});
const decimal = (good: string[], bad: string[], allowed: string): Expected => ({
  good,
  bad: [...bad, '.5', '1.', ...notNumbers],
  allowed,
});
const flag = (value: boolean): Expected => ({
  good: ['true', 'false'],
  bad: ['', '1', '0', 'yes', 'TRUE', ' true'],
  allowed: 'true or false',
  default: value,
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
const starterPdf = { plan: 'starter', pdfOnly: true } as const;

const quality = { ...whole(['1', '100', '50'], ['0', '101'], 'a whole number from 1 to 100'), default: 80 };
const response: Expected = { good: ['json'], bad: ['', 'JSON', 'json ', 'xml'], allowed: '"json" if it is given' };
const apiKey = text(200, 'an API key of at most 200 characters, and not empty');
const codes = ['http_error', 'blank', 'bot_wall', 'login_wall', 'banner_left', 'cut', 'images_failed'];

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
  format: { ...oneOf('png', 'jpg', 'webp', 'pdf'), default: 'png' },
  width: { ...whole(['1', '3840', '1920'], ['0', '3841'], 'a whole number from 1 to 3840'), default: 1280 },
  height: { ...whole(['1', '3840', '1920'], ['0', '3841'], 'a whole number from 1 to 3840'), default: 800 },
  quality,
  deviceScale: { ...decimal(['1', '1.0', '3.0', '2.625'], ['0.99', '3.01'], 'a number from 1 to 3'), default: 1 },
  delay: { ...whole(['0', '10000', '5000'], ['10001'], 'a whole number from 0 to 10000'), default: 0 },
  timeout: { ...whole(['1', '60000', '30000'], ['0', '60001'], 'a whole number from 1 to 60000'), default: 30000 },
  fullPage: flag(false),
  waitForSelector: text(1000, 'a CSS selector of at most 1000 characters, and not empty'),
  waitUntil: { ...oneOf('load', 'settled', 'networkidle'), default: 'settled' },
  clip: {
    good: ['0,0,1,1', '100000,100000,32000,32000', '10,20,300,200'],
    bad: [
      ...['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '0, 0,10,10', '0,0,1.5,10', '0,0,1e3,10', '-1,0,10,10'],
      ...['0,0,0,10', '0,0,10,0', '100001,0,10,10', '0,100001,10,10', '0,0,32001,10', '0,0,10,32001'],
    ],
    allowed: 'four whole numbers x,y,w,h with x and y from 0 to 100000 and w and h from 1 to 32000',
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
  customCSS: { ...text(50000, 'CSS of at most 50000 characters, and not empty'), plan: 'pro' },
  customJS: { ...text(50000, 'JavaScript of at most 50000 characters, and not empty'), plan: 'pro' },
  response,
  api_key: apiKey,
  fresh: flag(false),
  // 5,184,000 seconds are the 60 days of Business, the plan that these tests use.
  ttl: whole(['60', '5184000'], ['59', '5184001'], "a whole number of seconds from 60 to the plan's cache time"),
  stale: flag(false),
  failOn: {
    good: ['any', ...codes, codes.join(), [...codes].reverse().join()],
    bad: ['', 'other', 'blank,', 'blank,blank', 'blank, cut', 'any,blank'],
    allowed: `any, or one or more of ${codes.join(', ')}, each once, separated by commas without blanks`,
  },
  pageSize: { ...oneOf('a4', 'letter', 'legal', 'tabloid', 'a3', 'a5'), default: 'letter', ...starterPdf },
  landscape: { ...flag(false), ...starterPdf },
  margin: {
    good: ['0,0,0,0', '500,500,500,500', '10,12.5,10,12.5'],
    bad: ['', '10', '10,10,10', '1,1,1,1,1', '10,10,10,-1', '10,10,10,1e1', '10 10 10 10', '501,0,0,0', '0,0,0,500.1'],
    allowed: 'four numbers top,right,bottom,left in millimetres, each from 0 to 500',
    ...starterPdf,
  },
  headerTemplate: { ...text(20000, 'HTML of at most 20000 characters, and not empty'), ...starterPdf },
  footerTemplate: { ...text(20000, 'HTML of at most 20000 characters, and not empty'), ...starterPdf },
  printBackground: { ...flag(true), ...starterPdf },
  scale: { ...decimal(['0.1', '2.0', '1.05'], ['0.09', '2.01'], 'a number from 0.1 to 2'), default: 1, ...starterPdf },
};

export const ogContract: Readonly<Record<string, Expected>> = {
  format: { ...oneOf('png', 'jpg', 'webp'), default: 'png' },
  width: { ...whole(['100', '4096', '1200'], ['99', '4097'], 'a whole number from 100 to 4096'), default: 1200 },
  height: { ...whole(['100', '4096', '630'], ['99', '4097'], 'a whole number from 100 to 4096'), default: 630 },
  quality,
  response,
  api_key: apiKey,
  fresh: flag(false),
};
