import { expect, it } from 'vitest';
import { readLogin } from './login-options.ts';

const read = async (lists: Record<string, string[]>, options: Record<string, string> = {}, line = '') =>
  Object.fromEntries(
    [
      ...(await readLogin({ given: {}, parameters: new Map(), options, lists }, {
        readLine: async () => line,
      } as never)),
    ].map(([name, text]) => [name, JSON.parse(text)]),
  );

it('headers, cookies and a password become the parameters of the API', async () => {
  expect(await read({ header: ['Authorization: Bearer a:b', 'X-Empty:'], cookie: ['session=a=b', 'b='] })).toEqual({
    headers: { Authorization: 'Bearer a:b', 'X-Empty': '' },
    cookies: [
      { name: 'session', value: 'a=b' },
      { name: 'b', value: '' },
    ],
  });
  expect(await read({}, { 'basic-auth': 'ada:pass:word' })).toEqual({
    basicAuth: { username: 'ada', password: 'pass:word' },
  });
  expect(await read({})).toEqual({});
});

it('a password that is not given is asked for', async () => {
  expect(await read({}, { 'basic-auth': 'ada' }, 'asked')).toEqual({
    basicAuth: { username: 'ada', password: 'asked' },
  });
});
