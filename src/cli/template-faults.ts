// A mistake in a template file as a line that editors and terminals make a link of: hero.html:3:5: …
import type { Template } from '../cards/card-types.ts';

type Named = Pick<Template, 'name'> & Partial<Pick<Template, 'text' | 'html'>>;

export async function faultLine(error: Error, { name, text, html }: Named): Promise<string> {
  const { inFile, TemplateFileFault } = await import('../cards/template-file.ts');
  const file = `${name}.html`;
  if (error instanceof TemplateFileFault) {
    const { line = 1, column = 1, reason } = error;
    return `${file}:${line}:${column}: ${reason}`;
  }
  // The painter and the server count the lines of the HTML, without what is said at the top.
  const found = /^Line (\d{1,7}), column (\d{1,7}): (.*)$/s.exec(error.message);
  if (!found || text === undefined || html === undefined) return `${file}: ${error.message}`;
  const place = inFile({ text, html }, { line: Number(found[1]), column: Number(found[2]) });
  return `${file}:${place.line}:${place.column}: ${found[3]}`;
}
