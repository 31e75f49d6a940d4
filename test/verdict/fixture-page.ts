// A page to judge, written by us after what is publicly known of such pages. Nothing in it is copied from a site.

export type VerdictPage = { readonly name: string; readonly html: string; readonly status?: number };

export const page = (name: string, title: string, body: string, head = '', status = 200): VerdictPage => ({
  name,
  status,
  html: `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`,
});

/** Ordinary prose, `count` sentences of it. */
export const prose = (count: number): string =>
  Array.from({ length: count }, (_, index) => sentences[index % sentences.length]).join(' ');

const sentences = [
  'The ferry leaves the old harbour at seven and is back before the lamps are lit.',
  'Nobody in the village remembers who planted the first of the pear trees.',
  'A good map leaves out most of what is there.',
  'On Thursdays the baker sells what was not sold on Wednesday, at half the price.',
  'The museum owns three pianos, and one of them can be played.',
  'Rain is measured in the garden behind the school, by the younger children.',
];
