import { describe, expect, it } from 'vitest';
import { describeSettings, loadConfig } from './config.ts';
import { ttlMs } from './kernel/plans.ts';

const complaint = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a setting with a wrong value', () => {
  it.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535'],
    ['HOST', 'http://0.0.0.0:3000', 'HOST must be an IP address or a host name'],
    ['BASE_URL', 'shots.example.com', 'BASE_URL must be an http or https URL'],
    ['BASE_URL', 'http://exa mple.com', 'BASE_URL must be an http or https URL'],
    [
      'BASE_URL',
      'http://x.example/a b',
      'BASE_URL must be an http or https URL without a user name, query, white space',
    ],
    ['BASE_URL', 'http://x.example/\u4e16', 'BASE_URL must be an http or https URL'],
    ['BASE_URL', 'https://ada:pw@shots.example.com', 'BASE_URL must be an http or https URL without a user name'],
    ['S3_ENDPOINT', 'http://minio:99999', 'S3_ENDPOINT must be an http or https URL'],
    ['TRUST_PROXY', 'nginx', 'TRUST_PROXY must be addresses or networks (CIDR)'],
    ['TRUST_PROXY', '10.0.0.0/40', 'TRUST_PROXY must be addresses or networks (CIDR)'],
    ['TRUST_PROXY', '0.0.0.0/0', 'of your proxies only, such as 10.0.0.0/8 and not 0.0.0.0/0; it is "0.0.0.0/0"'],
    ['TRUST_PROXY', '10.0.0.0/8,::/00', 'TRUST_PROXY must be addresses or networks (CIDR)'],
    ['ALLOW_PRIVATE_TARGETS', 'localhost', 'ALLOW_PRIVATE_TARGETS must be addresses or networks (CIDR)'],
    ['PLAN_LIMITS', '{free:1}', 'PLAN_LIMITS: it must be a JSON object such as {"free"'],
    ['PLAN_LIMITS', '[]', 'PLAN_LIMITS: it must be a JSON object, for example {"free"'],
    ['PLAN_LIMITS', '{"free":3}', 'PLAN_LIMITS: free must be an object of limits'],
    ['PLAN_LIMITS', '{"gold":{}}', 'PLAN_LIMITS: there is no plan "gold"'],
    ['PLAN_LIMITS', '{"free":{"speed":1}}', 'PLAN_LIMITS: free has no limit "speed"'],
    ['PLAN_LIMITS', '{"free":{"keys":0}}', 'PLAN_LIMITS: free.keys must be a whole number from 1 to 1000000000.'],
    ['PLAN_LIMITS', '{"pro":{"rendersPerMinute":0.5}}', 'PLAN_LIMITS: pro.rendersPerMinute must be a whole number'],
    ['PLAN_LIMITS', '{"pro":{"rendersAtOnce":1e300}}', 'PLAN_LIMITS: pro.rendersAtOnce must be a whole number'],
    ['PLAN_LIMITS', '{"pro":{"jobsQueued":"9"}}', 'PLAN_LIMITS: pro.jobsQueued must be a whole number'],
    ['PLAN_LIMITS', '{"pro":{"ttlDays":3651}}', 'PLAN_LIMITS: pro.ttlDays must be a number above 0 and at most 3650.'],
    ['PLAN_LIMITS', '{"pro":{"ttlDays":-1}}', 'PLAN_LIMITS: pro.ttlDays must be a number above 0 and at most 3650.'],
    ['CACHE_MAX_BYTES', 'lots', 'CACHE_MAX_BYTES must be a size such as 5GB'],
    ['GITHUB_CLIENT_ID', 'x', 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are given together or not at all'],
    ['GOOGLE_CLIENT_SECRET', 'x', 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are given together or not at all'],
    ['ROLE', 'render', 'ROLE=render needs REDIS_URL'],
  ])('%s=%s stops the start with a sentence that says what is allowed', (name, value, sentence) => {
    expect(complaint({ [name]: value })).toContain(sentence);
  });

  it.each(['http://127.0.0.1:4630\r', 'http://x ', 'http://x/ ', ' http://x', 'http://x\n', 'http://x\u00a0'])(
    'BASE_URL=%j is refused',
    (value) => expect(complaint({ BASE_URL: value })).toContain(`end; it is ${JSON.stringify(value)}.`),
  );

  it('no setting has control characters, or white space at its start or end', () => {
    for (const { env, example } of describeSettings().filter((row) => row.env !== 'PLAN_LIMITS'))
      for (const value of [`${example}\r`, `${example}\n`, ` ${example}`, `\u001b${example}`, ' '])
        expect(complaint({ [env]: value }), `${env}=${JSON.stringify(value)}`).toMatch(
          new RegExp(`\\b${env} must be .+, without control characters and without white space at its start or end`),
        );
    expect(complaint({ DATABASE_URL: 'postgres://me:hunter2@db/x\n' })).not.toContain('hunter2');
  });

  it('is not repeated where it holds a password', () => {
    const said = complaint({ DATABASE_URL: 'mysql://me:hunter2@db/x', REDIS_URL: 'http://:hunter2@redis' });
    expect(said).toContain('DATABASE_URL must be a postgres://… URL,');
    expect(said).toContain('REDIS_URL must be a redis://… or rediss://… URL,');
    expect(said).not.toContain('hunter2');
  });
});

it('every setting has an example that is accepted', () => {
  const all = Object.fromEntries(describeSettings().map(({ env, example }) => [env, example]));
  expect(complaint(all)).toBe('');
});

it('JSON may have several lines', () => {
  expect(loadConfig({ PLAN_LIMITS: '{\n  "free": { "keys": 7 }\n}\n' }).planLimits.free.keys).toBe(7);
});

it('limits of plans may be large, and days may have a fraction', () => {
  const limits = { ttlDays: 0.3333333, keys: 1000, rendersPerMinute: 1e6, rendersPerMonth: 1e9, jobsQueued: 1 };
  const { pro } = loadConfig({ PLAN_LIMITS: JSON.stringify({ pro: limits }) }).planLimits;
  expect(pro).toMatchObject(limits);
  expect(ttlMs(pro)).toBe(28_799_997);
});

it('addresses and networks of proxies are accepted', () => {
  const text = '10.0.0.0/8, 192.0.2.1, 192.0.2.0/30,fd00::/8, ::1/128';
  expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(text.split(/, ?/));
});
