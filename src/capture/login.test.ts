import { expect, it } from 'vitest';
import { withoutLogin } from './login.ts';

it('an error text has no value of the login, nor the token alone', () => {
  const login = {
    headers: { authorization: 'Bearer abcdefgh' },
    cookies: [
      { name: 'session', value: 'canary42' },
      { name: 'seen', value: '1' },
    ],
    basicAuth: { username: 'ada', password: 'hunter2' },
  };
  const text = 'Error: session=canary42; seen=1; token abcdefgh, Bearer abcdefgh, ada:hunter2';
  expect(withoutLogin(text, login)).toBe('Error: session=•••; seen=1; token •••, •••, ada:•••');
});
