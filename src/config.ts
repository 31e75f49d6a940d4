// One table of settings. It is the only reader of process.env, and it prints `--help` and the
// settings page of the documentation. An empty setting is an unset one.
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { type Plans, plans, withLimits } from './kernel/plans.ts';

type Setting<T> = {
  readonly env: string;
  /** undefined = refused. */
  readonly read: (text: string) => T | undefined;
  readonly says: string;
  readonly default: T;
  /** The default in words, where the value itself says little. */
  readonly defaultDoc?: string;
  readonly doc: string;
};

const setting = <T>(row: Setting<T>): Setting<T> => row;

const whole = (min: number, max: number) => ({
  read: (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  says: `a whole number from ${min} to ${max}`,
});
const words = { read: (text: string) => text, says: 'a text' };
const oneOf = <const T extends string>(...options: readonly T[]) => ({
  read: (text: string) => options.find((option) => option === text),
  says: `one of ${options.join(', ')}`,
});
const units: Record<string, number> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const bytes = {
  read: (text: string) => {
    const match = /^(\d{1,15})\s*(|KB|MB|GB|TB)$/i.exec(text);
    return match ? Number(match[1]) * (units[(match[2] ?? '').toUpperCase()] ?? 1) : undefined;
  },
  says: 'a size such as 5GB, 500MB or a number of bytes',
};
const list = { read: (text: string) => text.split(/[\s,]+/).filter(Boolean), says: 'a list separated by commas' };
const optional = undefined as string | undefined;

export const settings = {
  port: setting({ env: 'PORT', ...whole(0, 65535), default: 3000, doc: 'The port to listen on; 0 takes a free one.' }),
  host: setting({
    env: 'HOST',
    ...words,
    default: '127.0.0.1',
    doc: 'The address to listen on; 0.0.0.0 for every interface.',
  }),
  baseUrl: setting({
    env: 'BASE_URL',
    read: (text: string) => (/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(text) ? text.replace(/\/+$/, '') : undefined),
    says: 'an http or https URL',
    default: optional,
    defaultDoc: 'http://HOST:PORT',
    doc: 'What the links in answers are made of.',
  }),
  dataDir: setting({
    env: 'DATA_DIR',
    read: (text: string) => resolve(text),
    says: 'a folder',
    default: resolve('data'),
    defaultDoc: './data',
    doc: 'Where the SQLite file, the cached files and the secret live.',
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    read: (text: string) => (/^postgres(ql)?:\/\//.test(text) ? text : undefined),
    says: 'a postgres://… URL',
    default: optional,
    defaultDoc: 'none: SQLite in DATA_DIR',
    doc: 'A PostgreSQL database instead of the embedded SQLite.',
  }),
  role: setting({
    env: 'ROLE',
    ...oneOf('all', 'api', 'render'),
    default: 'all' as 'all' | 'api' | 'render',
    doc: 'What this process does: api answers requests, render captures pages, all is both. api and render need REDIS_URL.',
  }),
  redisUrl: setting({
    env: 'REDIS_URL',
    read: (text: string) => (/^rediss?:\/\//.test(text) ? text : undefined),
    says: 'a redis://… or rediss://… URL',
    default: optional,
    defaultDoc: 'none: in this process',
    doc: 'The queue between machines, and limits that hold on all of them.',
  }),
  s3Bucket: setting({
    env: 'S3_BUCKET',
    ...words,
    default: optional,
    defaultDoc: 'none: files in DATA_DIR',
    doc: 'Keeps cached files in this bucket (AWS S3, MinIO, R2…).',
  }),
  s3Endpoint: setting({
    env: 'S3_ENDPOINT',
    read: (text: string) => (/^https?:\/\/[^/?#]+\/?$/.test(text) ? text.replace(/\/$/, '') : undefined),
    says: 'an http or https URL without a path',
    default: optional,
    defaultDoc: 'that of AWS',
    doc: 'Where the bucket is, if not at AWS.',
  }),
  s3Region: setting({ env: 'S3_REGION', ...words, default: 'us-east-1', doc: 'The region of the bucket.' }),
  s3AccessKeyId: setting({
    env: 'S3_ACCESS_KEY_ID',
    ...words,
    default: optional,
    defaultDoc: "the machine's role",
    doc: 'With S3_SECRET_ACCESS_KEY: who may use the bucket.',
  }),
  s3SecretAccessKey: setting({
    env: 'S3_SECRET_ACCESS_KEY',
    ...words,
    default: optional,
    defaultDoc: "the machine's role",
    doc: 'See S3_ACCESS_KEY_ID.',
  }),
  s3PathStyle: setting({
    env: 'S3_PATH_STYLE',
    read: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
    says: 'true or false',
    default: false,
    doc: 'true for servers that want endpoint/bucket (MinIO) instead of bucket.endpoint.',
  }),
  cacheMaxBytes: setting({
    env: 'CACHE_MAX_BYTES',
    ...bytes,
    default: 5e9,
    defaultDoc: '5GB',
    doc: 'The size of the cache. When it is full, the accounts that keep most give first.',
  }),
  cacheMemoryBytes: setting({
    env: 'CACHE_MEMORY_BYTES',
    ...bytes,
    default: 128e6,
    defaultDoc: '128MB',
    doc: 'How many bytes of hot results are kept in memory.',
  }),
  browserPath: setting({
    env: 'BROWSER_PATH',
    ...words,
    default: optional,
    defaultDoc: 'found',
    doc: 'The browser to use: chromium-headless-shell, chromium or chrome.',
  }),
  rendersAtOnce: setting({
    env: 'RENDERS_AT_ONCE',
    ...whole(1, 256),
    default: cpus().length + 1,
    defaultDoc: 'cores + 1',
    doc: 'How many pages are captured at the same time.',
  }),
  queueMax: setting({
    env: 'QUEUE_MAX',
    ...whole(0, 100000),
    default: 200,
    doc: 'How many renders may wait, in the whole cluster; one more is answered 503.',
  }),
  allowPrivateTargets: setting({
    env: 'ALLOW_PRIVATE_TARGETS',
    ...list,
    default: [] as string[],
    defaultDoc: 'none',
    doc: 'Networks (CIDR, separated by commas) that may be captured although they are not public. Cloud metadata stays refused.',
  }),
  signUp: setting({
    env: 'SIGN_UP',
    ...oneOf('open', 'closed'),
    default: 'open' as 'open' | 'closed',
    doc: 'Whether anybody may make an account in the dashboard.',
  }),
  planLimits: setting({
    env: 'PLAN_LIMITS',
    read: (text: string): Plans => withLimits(JSON.parse(text)),
    says: 'a JSON object such as {"free":{"rendersPerMinute":10}}',
    default: plans,
    defaultDoc: 'the table of plans',
    doc: 'Changes numbers of the plan table.',
  }),
  trustProxy: setting({
    env: 'TRUST_PROXY',
    ...list,
    default: [] as string[],
    defaultDoc: 'none',
    doc: 'Addresses (CIDR) of reverse proxies whose X-Forwarded-For is believed.',
  }),
  templatesDir: setting({
    env: 'TEMPLATES_DIR',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'A folder with Open Graph templates of your own.',
  }),
  githubClientId: setting({
    env: 'GITHUB_CLIENT_ID',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'With GITHUB_CLIENT_SECRET: sign in with GitHub.',
  }),
  githubClientSecret: setting({
    env: 'GITHUB_CLIENT_SECRET',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'See GITHUB_CLIENT_ID.',
  }),
  googleClientId: setting({
    env: 'GOOGLE_CLIENT_ID',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'With GOOGLE_CLIENT_SECRET: sign in with Google.',
  }),
  googleClientSecret: setting({
    env: 'GOOGLE_CLIENT_SECRET',
    ...words,
    default: optional,
    defaultDoc: 'none',
    doc: 'See GOOGLE_CLIENT_ID.',
  }),
  shutdownSeconds: setting({
    env: 'SHUTDOWN_SECONDS',
    ...whole(0, 600),
    default: 65,
    doc: 'How long a stop waits for renders under way.',
  }),
  logLevel: setting({
    env: 'LOG_LEVEL',
    ...oneOf('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info' as string,
    doc: 'The least important log line that is written.',
  }),
};

export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K]['default'] };

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
    try {
      config[name] = row.read(text);
      if (config[name] === undefined) wrong.push(`${row.env} must be ${row.says}; it is "${text}".`);
    } catch (error) {
      wrong.push(`${row.env}: ${(error as Error).message}`);
    }
  }
  if (wrong.length === 0) wrong.push(...contradictions(config as Config));
  if (wrong.length > 0) throw new Error(`Tintype cannot start with these settings:\n  ${wrong.join('\n  ')}`);
  return config as Config;
}

/** Settings that are right one by one and make no sense together. */
function contradictions({ role, redisUrl, databaseUrl, s3Bucket, s3Endpoint, ...s3 }: Config): string[] {
  const wrong: string[] = [];
  if (role !== 'all' && redisUrl === undefined) wrong.push(`ROLE=${role} needs REDIS_URL.`);
  if (role === 'api' && databaseUrl === undefined)
    wrong.push('ROLE=api needs DATABASE_URL, which all api nodes share.');
  if (s3Bucket === undefined && s3Endpoint !== undefined) wrong.push('S3_ENDPOINT needs S3_BUCKET.');
  if ((s3.s3AccessKeyId === undefined) !== (s3.s3SecretAccessKey === undefined))
    wrong.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are given together or not at all.');
  return wrong;
}

/** A row for `--help` and the documentation: the variable, its default and its sentence. */
export const describeSettings = (): { env: string; default: string; doc: string }[] =>
  (Object.values(settings) as Setting<unknown>[]).map((row) => ({
    env: row.env,
    default: row.defaultDoc ?? String(row.default),
    doc: row.doc,
  }));
