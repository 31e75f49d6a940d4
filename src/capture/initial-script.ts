// The script that is run first in every document: it waits until the page has settled. Where nothing else is to be done before
// the picture, it also brings the page to rest, in the same call.
import type { Deadline } from '../kernel/deadline.ts';
import type { Parameter } from '../kernel/parameters.ts';
import { pageHeight, printedHeight } from './budgets.ts';
import type { CaptureRequest } from './capture-request.ts';
import { expandBounds } from './full-page.ts';
import type { InitialScript } from './in-page.ts';
import type { ExpandBounds } from './in-page-types.ts';
import { beforePrint } from './paper.ts';
import { screenshotParameters } from './parameters.ts';
import { restBounds } from './rest.ts';

/** Is nothing to be done between a settled page and its picture? */
const mayRestAtOnce = (request: CaptureRequest): boolean =>
  afterLoad.every(([name, value]) => request[name] === value) &&
  request.clip === undefined &&
  !request.blockAds &&
  !request.blockCookies;

/** The parameters that act after the load, with the value at which they do nothing. */
const afterLoad = (Object.entries(screenshotParameters) as [keyof CaptureRequest, Parameter][])
  .filter(([, { stage }]) => stage === 'after load')
  .map(([name, parameter]) => [name, parameter.default] as const);

const takesTheView = ({ format, fullPage, selector }: CaptureRequest): boolean =>
  format !== 'pdf' && !fullPage && selector === undefined;

/** It resolves with the state of the page when that has settled. */
export function initialScript(request: CaptureRequest, deadline: Deadline): InitialScript {
  const bounds = restBounds(deadline, request.waitUntil);
  const settle = `tintype.settleAndLookAgain(${JSON.stringify(bounds)})`;
  const state = 'untouched: tintype.untouched, actsLater: tintype.actsLater, showsFrame: tintype.showsFrame';
  if (!mayRestAtOnce(request))
    return { pieces: ['common'], expression: `${settle}.then(() => ({ atRest: false, ${state} }))` };
  if (takesTheView(request))
    return {
      pieces: ['common'],
      expression: `${settle}.then(tintype.freeze).then(() => ({ atRest: true, ${state} }))`,
    };
  const then = (rest: string) => `${settle}.then(() => ${rest}).then((left) => ({ ...left, ${state} }))`;
  if (request.selector !== undefined) {
    const args = [request.selector, request.padding, bounds].map((value) => JSON.stringify(value));
    return {
      pieces: ['common', 'fullPage', 'element'],
      expression: then(`tintype.elementAtOnce(${args.join()})`),
    };
  }
  const atOnce = (full: ExpandBounds, last: string) => `tintype.atOnce(${JSON.stringify(full)}, (extent) => ${last})`;
  if (request.format !== 'pdf')
    return {
      pieces: ['common', 'fullPage'],
      expression: then(atOnce(expandBounds(deadline), 'tintype.placeFixed(extent.height)')),
    };
  const print = atOnce(expandBounds(deadline, pageHeight, printedHeight), beforePrint(request));
  return {
    pieces: ['common', 'fullPage', 'print'],
    expression: then(`tintype.needsPrintLayout() ? { atRest: false } : ${print}`),
  };
}
