// One table of settings. It is the only reader of process.env, and it prints `--help` and the
// settings page of the documentation. An empty setting is an unset one.
import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseNetwork } from './kernel/ip.ts';
import { redact } from './kernel/log.ts';
import {
  defaultPlan,
  limitNames,
  mostOfLimit,
  mostTtlDays,
  type PlanName,
  type Plans,
  planNames,
  plans,
  withLimits,
} from './kernel/plans.ts';

type Setting<T> = {
  readonly env: string;
  /** undefined = refused. */
  readonly read: (text: string) => T | undefined;
  /** Completes the sentence "PORT must be …". */
  readonly expects: string;
  /** A value that works, for the documentation. */
  readonly example: string;
  /** Never repeat the value in an error: it holds a password. */
  readonly secret?: true;
  /** JSON may have several lines. */
  readonly isJson?: true;
  readonly default: T;
  /** The default in words, where the value itself says little. */
  readonly defaultDoc?: string;
  readonly doc: string;
};

const setting = <T>(row: Setting<T>): Setting<T> => row;

const whole = (min: number, max: number) => ({
  read: (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  expects: `a whole number from ${min} to ${max}`,
});
const words = { read: (text: string) => text, expects: 'text' };
const oneOf = <const T extends string>(...options: readonly T[]) => ({
  read: (text: string) => options.find((option) => option === text),
  expects: `one of ${options.join(', ')}`,
});
const units: Record<string, number> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const bytes = {
  read: (text: string) => {
    const match = /^(\d{1,15})\s*(|KB|MB|GB|TB)$/i.exec(text);
    return match ? Number(match[1]) * (units[(match[2] ?? '').toUpperCase()] ?? 1) : undefined;
  },
  expects: 'a size such as 5GB, 500MB or a number of bytes',
};
const networks = {
  read: (text: string) => {
    const parts = text.split(/[\s,]+/).filter(Boolean);
    return parts.every((part) => parseNetwork(part) !== undefined) ? parts : undefined;
  },
  expects: 'addresses or networks (CIDR), separated by commas',
};
/** Everyone (/0) cannot be trusted: any visitor could then claim any address. Fastify refuses it as well. */
const proxies = {
  read: (text: string) => (/\/0+(?!\d)/.test(text) ? undefined : networks.read(text)),
  expects: `${networks.expects}, of your proxies only, such as 10.0.0.0/8 and not 0.0.0.0/0`,
};
/** An address of this machine, or a name for one. */
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text);
const clientPair = (provider: string) => ({ ...words, doc: `Sign-in with ${provider}; set both or neither.` });
const optional = undefined as string | undefined;
const escapeThem = ', with / ? # @ : and % of its password percent-escaped';

export const settings = {
  port: setting({
    env: 'PORT',
    example: '8080',
    ...whole(0, 65535),
    default: 3000,
    doc: 'The port to listen on; 0 selects a free port.',
  }),
  host: setting({
    env: 'HOST',
    example: '0.0.0.0',
    read: (text: string) => (isHost(text) ? text : undefined),
    expects: 'an IP address or a host name, without a scheme or a port',
    default: '127.0.0.1',
    doc: 'The address to listen on; 0.0.0.0 for every interface.',
  }),
  baseUrl: setting({
    env: 'BASE_URL',
    example: 'https://shots.example.com',
    read: (text: string) =>
      // It begins the Location header, in which other characters are an error.
      /^[!-~]+$/.test(text) && /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(text) && URL.canParse(text)
        ? text.replace(/\/+$/, '')
        : undefined,
    expects: 'an http or https URL without a user name, query, white space or non-ASCII characters',
    default: optional,
    defaultDoc: 'http://HOST:PORT',
    doc: 'The public URL of this server, used in links. The dashboard needs a host of its own: behind a path, only the API can be used.',
  }),
  dataDir: setting({
    env: 'DATA_DIR',
    example: '/var/lib/tintype',
    read: (text: string) => resolve(text),
    expects: 'a folder',
    default: resolve('data'),
    defaultDoc: './data',
    doc: 'The folder for the SQLite file and the cached files, of one server.',
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    secret: true,
    example: 'postgres://tintype:secret@db.internal:5432/tintype',
    read: (text: string) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    expects: `a postgres://… URL${escapeThem}`,
    default: optional,
    defaultDoc: 'none: SQLite in DATA_DIR',
    doc: 'A PostgreSQL database instead of the embedded SQLite.',
  }),
  role: setting({
    env: 'ROLE',
    example: 'api',
    ...oneOf('all', 'api', 'render'),
    default: 'all' as 'all' | 'api' | 'render',
    doc: 'What this process does: api answers requests, render renders pages and cards, all does both. api and render need REDIS_URL.',
  }),
  redisUrl: setting({
    env: 'REDIS_URL',
    secret: true,
    example: 'redis://redis.internal:6379',
    read: (text: string) => (/^rediss?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    expects: `a redis://… or rediss://… URL${escapeThem}`,
    default: optional,
    defaultDoc: 'none: the queue is in this process',
    doc: 'Redis for the queue between machines and for limits that apply to all of them.',
  }),
  s3Bucket: setting({
    env: 'S3_BUCKET',
    example: 'tintype-results',
    ...words,
    default: optional,
    defaultDoc: 'none: files in DATA_DIR',
    doc: 'The bucket for cached files (AWS S3, MinIO, R2…).',
  }),
  s3Endpoint: setting({
    env: 'S3_ENDPOINT',
    example: 'https://minio.internal:9000',
    read: (text: string) =>
      /^https?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text) ? text.replace(/\/$/, '') : undefined,
    expects: 'an http or https URL without a path',
    default: optional,
    defaultDoc: 'AWS',
    doc: 'The endpoint of the bucket, if it is not at AWS.',
  }),
  s3Region: setting({
    env: 'S3_REGION',
    example: 'eu-central-1',
    ...words,
    default: 'us-east-1',
    doc: 'The region of the bucket.',
  }),
  s3AccessKeyId: setting({
    env: 'S3_ACCESS_KEY_ID',
    example: 'AKIA…',
    ...words,
    default: optional,
    defaultDoc: "the AWS SDK's defaults (role, AWS_… variables, profile)",
    doc: 'The access key of the bucket, together with S3_SECRET_ACCESS_KEY.',
  }),
  s3SecretAccessKey: setting({
    env: 'S3_SECRET_ACCESS_KEY',
    secret: true,
    example: '…',
    ...words,
    default: optional,
    defaultDoc: "the AWS SDK's defaults (role, AWS_… variables, profile)",
    doc: 'See S3_ACCESS_KEY_ID.',
  }),
  s3PathStyle: setting({
    env: 'S3_PATH_STYLE',
    example: 'true',
    read: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
    expects: 'true or false',
    default: false,
    doc: 'true for servers that use endpoint/bucket (MinIO) instead of bucket.endpoint.',
  }),
  cacheMaxBytes: setting({
    env: 'CACHE_MAX_BYTES',
    example: '20GB',
    ...bytes,
    default: 5e9,
    defaultDoc: '5GB',
    doc: 'The maximum size of the cache. When it is full, results of the accounts that use the most space are removed first.',
  }),
  cacheMemoryBytes: setting({
    env: 'CACHE_MEMORY_BYTES',
    example: '256MB',
    ...bytes,
    default: 128e6,
    defaultDoc: '128MB',
    doc: 'The size of the results that are also kept in memory.',
  }),
  browserPath: setting({
    env: 'BROWSER_PATH',
    example: '/usr/bin/chromium-headless-shell',
    ...words,
    default: optional,
    defaultDoc: 'detected',
    doc: 'The browser to use: chromium-headless-shell, chromium or chrome.',
  }),
  browserSandbox: setting({
    env: 'BROWSER_SANDBOX',
    example: 'off',
    ...oneOf('on', 'off'),
    default: 'on' as 'on' | 'off',
    doc: 'off starts the browser even without its sandbox, and as root if necessary. With on, the browser does not start without that protection.',
  }),
  rendersAtOnce: setting({
    env: 'RENDERS_AT_ONCE',
    example: '5',
    ...whole(1, 256),
    default: availableParallelism() + 1,
    defaultDoc: 'cores + 1',
    doc: 'How many pages are captured at the same time. A page that only waits (for the network, a delay, an element) does not count here; it does in the renders at once of a plan.',
  }),
  pagesAtOnce: setting({
    env: 'PAGES_AT_ONCE',
    example: '24',
    ...whole(1, 2048),
    default: 0,
    defaultDoc: 'the memory less 0.5 GB, at 256 MB a page; at least RENDERS_AT_ONCE, at most 8 times it',
    doc: 'How many pages may be open at the same time, including those that only wait. Each may need a browser of its own: pages of two accounts never share one.',
  }),
  queueMax: setting({
    env: 'QUEUE_MAX',
    example: '500',
    ...whole(0, 100000),
    default: 200,
    doc: 'How many pages may wait in the whole cluster, and as many cards; further ones get a 503.',
  }),
  allowPrivateTargets: setting({
    env: 'ALLOW_PRIVATE_TARGETS',
    example: '10.20.0.0/16',
    ...networks,
    default: [] as string[],
    defaultDoc: 'none',
    doc: 'Networks (CIDR, separated by commas) that may be captured although they are not public. Cloud metadata services stay refused.',
  }),
  signUp: setting({
    env: 'SIGN_UP',
    example: 'closed',
    ...oneOf('open', 'closed'),
    default: 'open' as 'open' | 'closed',
    doc: 'Whether visitors can create an account in the dashboard.',
  }),
  defaultPlan: setting({
    env: 'DEFAULT_PLAN',
    example: 'starter',
    ...oneOf(...planNames),
    default: defaultPlan as PlanName,
    doc: 'The plan of new accounts.',
  }),
  planLimits: setting({
    env: 'PLAN_LIMITS',
    example: '{"free":{"rendersPerMinute":10,"keys":1}}',
    isJson: true,
    read: (text: string): Plans => withLimits(parseJson(text)),
    expects: 'a JSON object such as {"free":{"rendersPerMinute":10}}',
    default: plans,
    defaultDoc: 'the table of plans',
    doc: `Changes limits of the plan table: ${limitNames.join(', ')} of ${planNames.join(', ')}. ttlDays is at most ${mostTtlDays} and may have a fraction; the others are whole numbers up to ${mostOfLimit}.`,
  }),
  trustProxy: setting({
    env: 'TRUST_PROXY',
    example: '10.0.0.0/8',
    ...proxies,
    default: [] as string[],
    defaultDoc: 'none',
    doc: 'Addresses (CIDR) of reverse proxies whose X-Forwarded-For is trusted.',
  }),
  templatesDir: setting({
    env: 'TEMPLATES_DIR',
    example: '/etc/tintype/templates',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'A folder with your own Open Graph templates.',
  }),
  githubClientId: setting({
    env: 'GITHUB_CLIENT_ID',
    example: 'Iv1.…',
    ...clientPair('GitHub'),
    default: optional,
    defaultDoc: 'none',
  }),
  githubClientSecret: setting({
    env: 'GITHUB_CLIENT_SECRET',
    secret: true,
    example: '…',
    ...clientPair('GitHub'),
    default: optional,
    defaultDoc: 'none',
  }),
  googleClientId: setting({
    env: 'GOOGLE_CLIENT_ID',
    example: '….apps.googleusercontent.com',
    ...clientPair('Google'),
    default: optional,
    defaultDoc: 'none',
  }),
  googleClientSecret: setting({
    env: 'GOOGLE_CLIENT_SECRET',
    secret: true,
    example: '…',
    ...clientPair('Google'),
    default: optional,
    defaultDoc: 'none',
  }),
  oidcIssuer: setting({
    env: 'OIDC_ISSUER',
    example: 'https://login.example.com/realms/staff',
    read: (text: string) => (/^https?:\/\/[^?#\s]+$/.test(text) && URL.canParse(text) ? text : undefined),
    expects: 'an http or https URL without a query',
    default: optional,
    defaultDoc: 'none',
    doc: 'Sign-in with an OpenID Connect provider: its issuer. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; the provider redirects to BASE_URL/auth/callback/oidc.',
  }),
  oidcClientId: setting({
    env: 'OIDC_CLIENT_ID',
    example: 'tintype',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'See OIDC_ISSUER.',
  }),
  oidcClientSecret: setting({
    env: 'OIDC_CLIENT_SECRET',
    secret: true,
    example: '…',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'See OIDC_ISSUER.',
  }),
  oidcName: setting({
    env: 'OIDC_NAME',
    example: 'Example Ltd.',
    read: (text: string) => (text.length <= 60 ? text : undefined),
    expects: 'a text of at most 60 characters',
    default: 'single sign-on',
    doc: 'What the button for OIDC_ISSUER says after "Continue with".',
  }),
  smtpUrl: setting({
    env: 'SMTP_URL',
    secret: true,
    example: 'smtps://user:secret@mail.example.com:465',
    read: (text: string) => (/^smtps?:\/\/./.test(text) && URL.canParse(text) ? text : undefined),
    expects: `an smtp://… or smtps://… URL${escapeThem}`,
    default: optional,
    defaultDoc: 'none: no mail is sent',
    doc: 'The mail server for links to a new password and for invitations.',
  }),
  mailFrom: setting({
    env: 'MAIL_FROM',
    example: 'Tintype <tintype@example.com>',
    read: (text: string) => (/^[^\r\n]{3,200}$/.test(text) && text.includes('@') ? text : undefined),
    expects: 'an e-mail address, with or without a name',
    default: optional,
    defaultDoc: 'tintype@ and the host of BASE_URL',
    doc: 'The sender of mail.',
  }),
  contact: setting({
    env: 'CONTACT',
    example: 'it@example.com',
    read: (text: string) => (/^[^\p{Cc}]{1,200}$/u.test(text) ? text : undefined),
    expects: 'a text of at most 200 characters on one line',
    default: optional,
    defaultDoc: 'none: "the administrator of this server"',
    doc: 'Whom to ask about a lost password or an account; shown on the sign-in page.',
  }),
  serverUrl: setting({
    env: 'TINTYPE_SERVER',
    example: 'https://shots.example.com',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'The server that `tintype shot`, `og`, `content`, `batch`, `mcp` and `templates` use, unless --server names another.',
  }),
  apiKey: setting({
    env: 'TINTYPE_KEY',
    secret: true,
    example: 'sk_live_…',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'The API key for that server. Here it is not in the list of processes, unlike --key.',
  }),
  shutdownSeconds: setting({
    env: 'SHUTDOWN_SECONDS',
    example: '30',
    ...whole(0, 600),
    default: 65,
    doc: 'How long a stop waits for running renders, in seconds.',
  }),
  logLevel: setting({
    env: 'LOG_LEVEL',
    example: 'warn',
    ...oneOf('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info' as string,
    doc: 'The lowest level of log lines that are written.',
  }),
};

export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K]['default'] };

/** A line break or a space that an editor or a secret's file added breaks headers, paths and passwords much later. */
const isTrimmedLine = (text: string): boolean => text === text.trim() && !/\p{Cc}/u.test(text);

/** Reads every setting; throws one error that names all that are wrong. */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const config: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, row] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const text = env[row.env];
    if (text === undefined || text === '') {
      config[name] = row.default;
      continue;
    }
    const value = (shown: string) => (row.secret ? '' : `; it is ${shown}`);
    if (!row.isJson && !isTrimmedLine(text)) {
      const shown = JSON.stringify(redact(text.slice(0, 200)));
      wrong.push(
        `${row.env} must be ${row.expects}, without control characters and without white space at its start or end${value(shown)}.`,
      );
      continue;
    }
    try {
      config[name] = row.read(text);
      if (config[name] === undefined)
        wrong.push(`${row.env} must be ${row.expects}${value(`"${redact(text.slice(0, 200))}"`)}.`);
    } catch (error) {
      wrong.push(`${row.env}: ${redact((error as Error).message)}`);
    }
  }
  if (config.pagesAtOnce === settings.pagesAtOnce.default)
    config.pagesAtOnce = pagesInMemory(config.rendersAtOnce as number);
  if (wrong.length === 0) wrong.push(...contradictions(config as Config));
  if (wrong.length > 0) throw new Error(`Tintype cannot start with these settings:\n  ${wrong.join('\n  ')}`);
  return config as Config;
}

/** An ordinary page takes 100 MB, and the browser of its account as much again. */
const pageBytes = 256e6;
/** The server and the spare browser. */
const idleBytes = 512e6;

function pagesInMemory(rendersAtOnce: number): number {
  // The container's memory limit, if there is one: without a limit, Node returns 0 or a huge number.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(rendersAtOnce, Math.min(8 * rendersAtOnce, Math.floor((memory - idleBytes) / pageBytes)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`it must be a JSON object such as ${settings.planLimits.example}, and it is not valid JSON.`);
  }
}

/** Settings that are valid alone but contradict each other. */
function contradictions(config: Config): string[] {
  const { role, redisUrl, databaseUrl, s3Bucket, s3Endpoint } = config;
  const wrong: string[] = [];
  if (config.pagesAtOnce < config.rendersAtOnce) wrong.push('PAGES_AT_ONCE must be at least RENDERS_AT_ONCE.');
  if (role !== 'all' && redisUrl === undefined) wrong.push(`ROLE=${role} needs REDIS_URL.`);
  if (role === 'api' && databaseUrl === undefined)
    wrong.push('ROLE=api needs DATABASE_URL, which all api nodes share.');
  if (s3Bucket === undefined && s3Endpoint !== undefined) wrong.push('S3_ENDPOINT needs S3_BUCKET.');
  const pairs = [
    ['s3AccessKeyId', 's3SecretAccessKey'],
    ['githubClientId', 'githubClientSecret'],
    ['googleClientId', 'googleClientSecret'],
    ['oidcIssuer', 'oidcClientId'],
    ['oidcIssuer', 'oidcClientSecret'],
  ] as const;
  for (const [one, other] of pairs)
    if ((config[one] === undefined) !== (config[other] === undefined))
      wrong.push(`${settings[one].env} and ${settings[other].env} are given together or not at all.`);
  return wrong;
}

/** A row for `--help` and the documentation. */
export const describeSettings = () =>
  (Object.values(settings) as Setting<unknown>[]).map((row) => ({
    env: row.env,
    default: row.defaultDoc ?? String(row.default),
    expects: row.expects,
    example: row.example,
    doc: row.doc,
  }));
