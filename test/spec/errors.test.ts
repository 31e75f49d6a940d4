// The errors: status, code and shape of each.
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  [service, site] = await Promise.all([
    startService({}, async (host) => (host === 'nowhere.example.com' ? [] : ['127.0.0.1'])),
    startSite({
      '/': colourPage('#336699'),
      '/never': () => {},
      '/slow-image': '<h1>x</h1><img src="/never">',
      '/loop': '<script>for(;;);</script>',
      '/download': {
        headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
        body: 'x',
      },
      '/pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4' },
      '/nothing': { status: 204 },
      '/around': { status: 302, headers: { location: '/around' } },
      '/to-metadata': { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
      '/script-to-private': '<script>location = "http://10.0.0.1/"</script>',
      '/reset': (request) => void request.socket.destroy(),
    }),
  ]);
  customer = await service.customer('business');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

const failure = async (parameters: Record<string, string | number>) => {
  const response = await service.shot(parameters, customer.key);
  return { status: response.status, ...(await errorOf(response)) };
};

describe('400', () => {
  it('for a missing url', async () => {
    expect(await failure({})).toMatchObject({ status: 400, code: 'missing_parameter', parameter: 'url' });
  });

  it('for a format that does not exist, naming those that do', async () => {
    const { status, parameter, error } = await failure({ url: site.url, format: 'gif' });
    expect([status, parameter, error]).toEqual([400, 'format', 'format must be one of png, jpg, webp, avif, pdf.']);
  });

  it.each([
    'http://127.0.0.1.nip.example/',
    'http://10.1.2.3/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://0x0a000001/',
  ])('for the private address %s', async (url) => {
    // Loopback is exempted in these tests; the names here resolve to it or are other private networks.
    const { status, code, parameter } = await failure({ url: url.replace('127.0.0.1.nip.example', '192.168.0.1') });
    expect([status, code, parameter]).toEqual([400, 'target_refused', 'url']);
  });

  it('for a redirect to a private address, and never a picture of an error page', async () => {
    expect(await failure({ url: `${site.url}/to-metadata` })).toMatchObject({ status: 400, code: 'target_refused' });
    expect(await failure({ url: `${site.url}/script-to-private`, delay: 300 })).toMatchObject({
      status: 400,
      code: 'target_refused',
    });
  });

  it.each(['/download', '/pdf', '/nothing'])('for %s, which is not a page', async (path) => {
    expect(await failure({ url: site.url + path })).toMatchObject({ status: 400, code: 'unsupported_content' });
  });

  it('for a selector that does not parse', async () => {
    expect(await failure({ url: site.url, waitForSelector: 'div[' })).toMatchObject({
      status: 400,
      parameter: 'waitForSelector',
    });
  });

  it('for a clip wholly outside the page', async () => {
    expect(await failure({ url: site.url, clip: '5000,5000,10,10' })).toMatchObject({ status: 400, parameter: 'clip' });
  });

  it('for customJS that throws, with its text', async () => {
    const { status, code, error } = await failure({ url: site.url, customJS: 'throw new Error("my own words")' });
    expect([status, code]).toEqual([400, 'custom_js_failed']);
    expect(error).toContain('my own words');
  });

  it('for a malformed escape, naming the parameter', async () => {
    const response = await service.get(`/v1/screenshot?url=https://example.com/&customCSS=%E0%A4%A`, customer.key);
    expect([response.status, (await errorOf(response)).parameter]).toEqual([400, 'customCSS']);
  });

  it('for a 20 KB url, naming it', async () => {
    const { status, parameter } = await failure({ url: `https://example.com/${'x'.repeat(20_000)}` });
    expect([status, parameter]).toEqual([400, 'url']);
  });

  it('and all parameters are checked before the plan', async () => {
    const free = await service.customer('free');
    const response = await service.shot({ url: site.url, darkMode: true, scale: 9 }, free.key);
    expect([response.status, (await errorOf(response)).parameter]).toEqual([400, 'scale']);
  });
});

describe('502', () => {
  it('for a name that does not exist', async () => {
    const { status, code, error } = await failure({ url: 'http://nowhere.example.com/' });
    expect([status, code]).toEqual([502, 'target_unreachable']);
    expect(error).toContain('nowhere.example.com');
  });

  it('for a connection that is refused, reset or redirected in circles', async () => {
    const closed = await startSite({});
    await closed.close();
    for (const url of [closed.url, `${site.url}/reset`, `${site.url}/around`])
      expect({ url, ...(await failure({ url })) }).toMatchObject({ status: 502, code: 'target_unreachable' });
  });
});

describe('504', () => {
  /** How long the request took by the server's own clock: its log says it, however busy this client is. */
  const serverMs = async (requestId: string): Promise<number> => {
    const line = () =>
      service.logLines
        .map((text) => JSON.parse(text))
        .find((one) => one.requestId === requestId && one.msg === 'request');
    await expect.poll(async () => service.quiet().then(line)).toBeDefined();
    return line().ms;
  };

  it('within half a second for timeout=1', async () => {
    const { status, code, requestId } = await failure({ url: site.url, timeout: 1, width: 777 });
    expect([status, code]).toEqual([504, 'render_timeout']);
    expect(await serverMs(requestId)).toBeLessThanOrEqual(501);
  });

  // test/security/deadlines.test.ts has more such pages.
  it.each(['/never', '/loop'])('for %s, at most half a second after the timeout, naming the step', async (path) => {
    const { status, error, requestId } = await failure({ url: site.url + path, timeout: 1500 });
    expect(status).toBe(504);
    expect(error).toMatch(/1500 ms.*step "\w+"/);
    expect(await serverMs(requestId)).toBeLessThanOrEqual(2000);
  });

  it('not for a page with a file that never arrives: it is captured with a warning', async () => {
    const response = await service.shot(
      { url: `${site.url}/slow-image`, timeout: 20_000, response: 'json' },
      customer.key,
    );
    expect(response.status).toBe(200);
    expect(((await response.json()) as { warnings: string[] }).warnings.join()).toContain('/never');
  });

  it('and the next render works', async () => {
    expect((await service.shot({ url: site.url, width: 555 }, customer.key)).status).toBe(200);
  });
});

describe('the shape of every error', () => {
  const paths = ['/nothing-here', '/v1/nothing', '/v2/screenshot', '/v1/screenshot', '/v1/files/x', '/%zz'];
  it.each(paths)('is JSON with error, code and requestId for %s', async (path) => {
    const response = await service.get(path);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const body = await errorOf(response);
    expect(body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    expect(body.requestId).toBe(response.headers.get('x-request-id'));
    expect(JSON.stringify(body)).not.toMatch(/ at .*\.ts|node_modules|\.ts:\d+/);
  });

  it('holds for a method that is not allowed, with an Allow header', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${service.url}/v1/screenshot?url=${site.url}`, {
        method,
        headers: { 'x-api-key': customer.key },
      });
      expect([response.status, (await errorOf(response)).code]).toEqual([405, 'method_not_allowed']);
      expect(response.headers.get('allow')).toContain('GET');
    }
  });

  it.each(['', '{', 'null'])('holds for a wrong method or path whatever its body is: %j', async (body) => {
    for (const [path, status, code] of [
      ['/v1/screenshot', 405, 'method_not_allowed'],
      ['/v1/nothing', 404, 'not_found'],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(service.url + path, { method: 'DELETE', headers, body });
      expect([response.status, (await errorOf(response)).code]).toEqual([status, code]);
    }
  });

  it('tells a caller with a key what is left of the rate, also where there is nothing', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/screenshot'],
    ] as const) {
      const ask = (key: string) => fetch(service.url + path, { method, headers: { 'x-api-key': key } });
      const [known, unknown] = [await ask(customer.key), await ask('sk_live_unknown')];
      expect(Number(known.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
      expect([unknown.status, unknown.headers.get('x-ratelimit-limit')]).toEqual([known.status, null]);
    }
  });

  it('holds for headers that are too large', async () => {
    const answer = await rawAnswer(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(500_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"headers_too_large"');
  });

  it('holds for bytes that are not HTTP', async () => {
    const answer = await rawAnswer('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"bad_request"');
  });

  it('holds for a request without Host, which HTTP/1.0 does not need', async () => {
    const answer = await rawAnswer('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"bad_request"');
    expect(await rawAnswer('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('holds for an expectation that is unknown, which is ignored', async () => {
    const answer = await rawAnswer('GET /v1/nothing HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"not_found"');
  });

  it.each([
    ['/v1/sites/site_1/blog/post', 'GET, HEAD'],
    ['/docs/errors', 'GET, HEAD'],
  ])('holds for a wrong method on the paths below %s', async (path, allow) => {
    const response = await fetch(service.url + path, { method: 'PUT' });
    expect([response.status, (await errorOf(response)).code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('allow')).toBe(allow);
  });
});

it('a body on GET is ignored', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    const request = rawRequest(
      `${service.url}/v1/screenshot?url=${encodeURIComponent(site.url)}`,
      {
        method: 'GET',
        headers: { 'x-api-key': customer.key, 'content-type': 'application/json', 'content-length': 8 },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end('{"a":1}\n');
  });
  expect(status).toBe(200);
});

it('an unknown parameter is ignored, and X-Warning names it with the nearest known one', async () => {
  const response = await service.shot({ url: site.url, fullpage: true, zzzzz: 1 }, customer.key);
  expect(response.status).toBe(200);
  const warning = response.headers.get('x-warning') ?? '';
  expect(warning).toContain('fullpage: did you mean fullPage?');
  expect(warning).toContain('zzzzz: unknown parameter');
});

function rawAnswer(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}
