import { expect, it } from 'vitest';
import type { Outlet } from '../egress/egress-types.ts';
import { documentFailure } from './failures.ts';

const refusals = [{ host: '10.0.0.1', port: 80, reason: 'leads to 10.0.0.1, which is not public (private network)' }];
const outlet = { refusals, failures: [], exhausted: undefined } as unknown as Outlet;

it('a wrong certificate is what is wrong, also if it names a private address for its issuer', () => {
  expect(documentFailure('https://example.com/', 'net::ERR_CERT_AUTHORITY_INVALID', outlet)).toMatchObject({
    code: 'target_unreachable',
    message: 'https://example.com/ could not be reached: its TLS certificate is not from a trusted authority.',
  });
});

it('a page that leads to a private address is refused', () => {
  expect(documentFailure('https://example.com/', 'net::ERR_TUNNEL_CONNECTION_FAILED', outlet)).toMatchObject({
    code: 'target_refused',
    message: 'url leads to 10.0.0.1, which is not public (private network).',
  });
});
