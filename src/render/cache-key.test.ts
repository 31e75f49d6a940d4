// Which parameters identify a result. One that is forgotten would give a caller the picture of another request.
import { expect, it } from 'vitest';
import { testValidator } from '../../test/harness/validator.ts';
import { type Expected, ogContract, screenshotContract } from '../../test/spec/contract-parameters.ts';
import type { ValidatedRequest } from './validated-request.ts';

const validate = testValidator();
const requester = { account: { id: 'a1', plan: 'business' }, signed: false } as const;

/** They change when and how the answer is given, and not the picture. */
const notThePicture = ['timeout', 'response', 'api_key', 'fresh', 'ttl', 'stale', 'failOn'];
/** Beside these, the parameter itself makes the difference. */
const besides: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fit: { resizeWidth: '100', resizeHeight: '100' },
  padding: { selector: 'h1' },
  // A device has a size, and a header a margin: what else they change counts, too.
  device: { width: '500', height: '500', deviceScale: '2' },
  headerTemplate: { margin: '1,1,1,1' },
  footerTemplate: { margin: '1,1,1,1' },
};

it.each([
  ['screenshot', screenshotContract, { url: 'https://example.com/' }],
  ['og', { ...ogContract, template: { good: ['quote', 'event'] } }, { template: 'quote' }],
] as const)(
  'every parameter of a %s that changes the picture is in its key, and no other',
  (endpoint, contract, first) => {
    const keyOf = (values: Readonly<Record<string, string | null>>) => {
      const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null);
      return (validate(endpoint, new Map(given), requester) as ValidatedRequest).key;
    };
    const seen: [string, boolean][] = [];
    for (const [name, { good = [], default: usual, beside, pdfOnly }] of Object.entries<Partial<Expected>>(contract)) {
      const base = { ...first, ...(pdfOnly && { format: 'pdf' }), ...besides[name], ...beside };
      const others = good.filter((value) => Number(value) !== usual && value !== String(usual));
      const isNeeded = name in first || name === 'html' || name === 'markdown';
      const before = keyOf({ ...base, [name]: isNeeded ? (good[0] ?? '') : null });
      const differs = others.some((value) => keyOf({ ...base, [name]: value }) !== before);
      seen.push([name, differs]);
    }
    expect(seen.length).toBeGreaterThan(5);
    expect(
      seen
        .filter(([, differs]) => !differs)
        .map(([name]) => name)
        .sort(),
    ).toEqual(notThePicture.filter((name) => name in contract).sort());
  },
);
