// The parameters as people look for them: the groups of the playground's form and of the reference.
import type { Stage, Table } from '../kernel/parameters.ts';
import { loginNames } from './login.ts';

const sourceGroup = 'What is captured';
const pdfGroup = 'PDF';

const byName: Readonly<Record<string, readonly string[]>> = {
  'Element and shape': [
    ...['selector', 'padding', 'hide', 'clip', 'omitBackground'],
    ...['resizeWidth', 'resizeHeight', 'fit'],
  ],
  Emulation: ['userAgent', 'locale', 'timezone', 'geolocation', 'media', 'reducedMotion', 'darkMode'],
  'Behind a login': loginNames,
};

const byStage: Readonly<Record<Stage, string>> = {
  target: sourceGroup,
  capture: 'Output',
  viewport: 'Viewport',
  'before load': 'Before the page loads',
  'after load': 'After the page has loaded',
  answer: 'Request',
};

/** In the order in which they are shown. */
export const groupTitles: readonly string[] = [
  sourceGroup,
  pdfGroup,
  byStage.capture,
  'Element and shape',
  byStage.viewport,
  'Emulation',
  'Behind a login',
  byStage['before load'],
  byStage['after load'],
  byStage.answer,
];

/** The group of a parameter: that which names it, or that of its stage. */
export function groupOf(name: string, { onlyFormat, stage }: Table[string]): string {
  if (onlyFormat !== undefined) return pdfGroup;
  return Object.keys(byName).find((title) => byName[title]?.includes(name)) ?? byStage[stage];
}
