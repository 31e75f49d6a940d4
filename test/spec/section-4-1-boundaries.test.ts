// Section 4.1 and 7: every parameter's border, made from the parameter table itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import type { Parameter } from '../../src/kernel/parameters.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { planNames } from '../../src/kernel/plans.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';

let service: Service;
let free: Customer;
let business: Customer;
beforeAll(async () => {
  service = await startService();
  free = await service.customer('free');
  business = await service.customer('business');
});
afterAll(() => service.stop());

// Refused by its address: every check before that has passed when this answers target_refused.
const target = 'http://10.0.0.1/';
const rows = Object.entries(screenshotParameters) as [string, Parameter][];

describe.each(rows)('%s', (name, parameter) => {
  it('refuses every value beyond its border with a 400 that names it and says what is allowed', async () => {
    for (const bad of parameter.kind.bad) {
      const response = await service.shot({ url: target, [name]: bad }, business.key);
      const body = await errorOf(response);
      expect({ bad, status: response.status, code: body.code, parameter: body.parameter }).toEqual({
        bad,
        status: 400,
        code: 'invalid_parameter',
        parameter: name,
      });
      expect(body.error).toContain(parameter.kind.expects);
    }
  });

  it('takes every value on its border', async () => {
    for (const good of parameter.kind.good) {
      if (name === 'url') continue;
      const response = await service.shot({ url: target, [name]: good }, business.key);
      expect({ good, code: (await errorOf(response)).code }).toEqual({ good, code: 'target_refused' });
    }
  });

  it('is refused when it is given twice', async () => {
    const value = encodeURIComponent(parameter.kind.good[0] ?? parameter.example ?? target);
    const first = name === 'url' ? '' : `url=${encodeURIComponent(target)}&`;
    const response = await service.get(`/v1/screenshot?${first}${name}=${value}&${name}=${value}`, business.key);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter: name });
  });

  const plan = parameter.plan;
  if (plan !== undefined)
    it(`is a 403 naming ${plan} on every lower plan, and passes from ${plan} on`, async () => {
      const asking =
        parameter.kind.good.find((value) => parameter.kind.parse(value) !== parameter.default) ??
        parameter.example ??
        '';
      const format: Record<string, string> = parameter.onlyFormat === undefined ? {} : { format: parameter.onlyFormat };
      for (const lower of planNames.slice(0, planNames.indexOf(plan))) {
        const { key } = await service.customer(lower);
        const response = await service.shot({ url: target, ...format, [name]: asking }, key);
        expect(response.status).toBe(403);
        expect(await errorOf(response)).toMatchObject({ code: 'plan_required', parameter: name, requiredPlan: plan });
      }
      const { key } = await service.customer(plan);
      const response = await service.shot({ url: target, ...format, [name]: asking }, key);
      expect((await errorOf(response)).code).toBe('target_refused');
    });

  if (plan !== undefined && parameter.default !== undefined)
    it('is free when it only repeats its default', async () => {
      const format: Record<string, string> = parameter.onlyFormat === undefined ? {} : { format: parameter.onlyFormat };
      const response = await service.shot({ url: target, ...format, [name]: String(parameter.default) }, free.key);
      expect((await errorOf(response)).code).toBe('target_refused');
    });

  if (parameter.onlyFormat === 'pdf')
    it('is neither gated nor used without format=pdf, but checked', async () => {
      const good = parameter.kind.good[0] ?? parameter.example ?? '';
      const response = await service.shot({ url: target, [name]: good }, free.key);
      expect((await errorOf(response)).code).toBe('target_refused');
    });
});

describe('the table', () => {
  it('has the defaults of the specification', () => {
    const { values } = parse(new Map([['url', 'https://example.com/']]), screenshotParameters);
    expect(values).toMatchObject({
      format: 'png',
      width: 1280,
      height: 800,
      quality: 80,
      deviceScale: 1,
      delay: 0,
      timeout: 30000,
      fullPage: false,
      blockCookies: false,
      blockAds: false,
      darkMode: false,
      pageSize: 'letter',
      landscape: false,
      printBackground: true,
      scale: 1,
    });
    for (const name of [
      'waitForSelector',
      'clip',
      'device',
      'customCSS',
      'customJS',
      'response',
      'margin',
      'headerTemplate',
      'footerTemplate',
    ])
      expect(values[name as keyof typeof values]).toBeUndefined();
  });

  it('has exactly the parameters of the specification, and our own', () => {
    const specified =
      'url format width height quality deviceScale delay timeout fullPage waitForSelector clip blockCookies blockAds darkMode device customCSS customJS response api_key pageSize landscape margin headerTemplate footerTemplate printBackground scale';
    const own = 'fresh ttl stale failOn waitUntil';
    expect(Object.keys(screenshotParameters).sort()).toEqual([...specified.split(' '), ...own.split(' ')].sort());
  });
});
