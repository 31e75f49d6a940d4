// The parameters of /v1/screenshot: ranges, defaults and plans, held to the literals of contract-parameters.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { errorFor, inJson, refusedTarget, screenshotContract } from './contract-parameters.ts';

let service: Service;
let free: Customer;
let business: Customer;
beforeAll(async () => {
  service = await startService();
  free = await service.customer('free');
  business = await service.customer('business');
});
afterAll(() => service.stop());

const lowerPlans = { starter: ['free'], pro: ['free', 'starter'] } as const;

const cases = Object.entries(screenshotContract).flatMap(([name, expected]) => {
  const methods = expected.postOnly
    ? (['POST'] as const)
    : name === 'api_key'
      ? (['GET'] as const)
      : (['GET', 'POST'] as const);
  // A page is sent by POST only, and so is what needs one.
  const sent = expected.beside?.url === null;
  return methods.filter((method) => method === 'POST' || !sent).map((method) => [name, method, expected] as const);
});

describe.each(cases)('%s in a %s', (name, method, expected) => {
  const { good, bad, plan, pdfOnly, usual, beside = {} } = expected;
  const standard = usual ?? (expected.default === undefined ? undefined : String(expected.default));
  const [aGoodValue = ''] = good;
  const ask = async (value: string, key: string, format: Record<string, string> = {}) => {
    const others = Object.entries({ url: refusedTarget, ...format, ...beside }).filter(([, text]) => text !== null);
    const parameters = { ...(Object.fromEntries(others) as Record<string, string>), [name]: value };
    const response = await (method === 'GET'
      ? service.shot(parameters, key)
      : service.post('/v1/screenshot', { ...parameters, [name]: inJson(expected, value) }, key));
    return { value, status: response.status, ...(await errorOf(response)) };
  };

  it('refuses every value beyond its range with a 400 that names it and says what is allowed', async () => {
    for (const value of bad)
      expect(await ask(value, business.key)).toMatchObject({
        value,
        status: 400,
        code: 'invalid_parameter',
        parameter: name,
        error: expect.stringMatching(errorFor(name, expected)),
      });
  });

  it('takes every value of its range', async () => {
    for (const value of good)
      expect(await ask(value, business.key)).toMatchObject({
        value,
        code: 'target_refused',
        parameter: beside.url === null ? 'baseUrl' : 'url',
      });
  });

  if (method === 'GET')
    it('is refused when it is given twice', async () => {
      const value = encodeURIComponent(aGoodValue);
      const url = name === 'url' ? '' : `url=${encodeURIComponent(refusedTarget)}&`;
      const response = await service.get(`/v1/screenshot?${url}${name}=${value}&${name}=${value}`, business.key);
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter: name });
    });

  const format: Record<string, string> = pdfOnly ? { format: 'pdf' } : {};
  if (plan !== undefined)
    it(`is a 403 that names ${plan} on every lower plan, and passes on ${plan}`, async () => {
      const notTheDefault = good.find((value) => value !== standard) ?? '';
      for (const lower of lowerPlans[plan]) {
        const { key } = await service.customer(lower);
        expect(await ask(notTheDefault, key, format)).toMatchObject({
          status: 403,
          code: 'plan_required',
          parameter: name,
          requiredPlan: plan,
        });
      }
      const { key } = await service.customer(plan);
      expect((await ask(notTheDefault, key, format)).code).toBe('target_refused');
    });

  if (plan !== undefined && standard !== undefined)
    it('is free when it repeats its default', async () => {
      expect((await ask(standard, free.key, format)).code).toBe('target_refused');
    });

  if (pdfOnly)
    it('needs no plan without format=pdf, but is checked', async () => {
      expect((await ask(aGoodValue, free.key)).code).toBe('target_refused');
      expect((await ask(bad[0] ?? '', free.key)).parameter).toBe(name);
    });
});

describe.each(Object.entries(screenshotContract).filter(([, { postOnly }]) => postOnly))(
  '%s',
  (name, { good, postOnly }) => {
    it('is refused in a GET, whatever its value', async () => {
      for (const value of [good[0] ?? '', '']) {
        const response = await service.shot({ url: refusedTarget, [name]: value.slice(0, 1000) }, business.key);
        expect(response.status).toBe(400);
        expect(await errorOf(response)).toMatchObject({ code: postOnly, parameter: name });
      }
    });
  },
);

it.each([
  [{ margin: '200,0,200,0' }, 'margin'],
  [{ margin: '0,110,0,110', pageSize: 'a4' }, 'margin'],
  [{ headerTemplate: '<link rel=stylesheet href=x.css>' }, 'headerTemplate'],
  [{ footerTemplate: '<style>@import "x.css"</style>' }, 'footerTemplate'],
])('%o cannot be printed on any page: a 400 before the plan and the target are looked at', async (more, parameter) => {
  const response = await service.shot({ url: refusedTarget, format: 'pdf', ...more }, free.key);
  expect(response.status).toBe(400);
  expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter });
});

describe('the parameter table', () => {
  it('has exactly the parameters of the contract', () => {
    expect(Object.keys(screenshotParameters).sort()).toEqual(Object.keys(screenshotContract).sort());
  });

  it('has the defaults of the contract', () => {
    const { values } = parse(new Map([['url', refusedTarget]]), screenshotParameters);
    const defaults = Object.entries(screenshotContract).map(([name, expected]) => [name, expected.default]);
    expect(values).toEqual({ ...Object.fromEntries(defaults), url: refusedTarget });
  });
});
