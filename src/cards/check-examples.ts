// Lays out the example of every template at the start, without fonts: a style that the engine cannot read stops it.
import { Renderer } from '@takumi-rs/core';
import type { Template } from './card-types.ts';
import { createCardPainter } from './html/card-painter.ts';
import { TemplateFault } from './html/html-template-types.ts';
import type { Painter } from './painter.ts';
import { inFile, TemplateFileFault } from './template-file.ts';

export const exampleCanvas = { width: 600, height: 315, format: 'png', quality: 80 } as const;

/** Throws a TemplateFileFault. */
export async function checkExamples(templates: Iterable<Template>): Promise<void> {
  const { paint } = createCardPainter(sketcher());
  for (const template of templates) {
    // Without code, which would load the highlighter.
    const tree = { ...template.tree, hasCode: false };
    await paint({ ...template, tree, values: template.example, pictures: [], canvas: exampleCanvas }).catch((error) => {
      throw exampleFault(template, error);
    });
  }
}

export function exampleFault(template: Template, error: Error): TemplateFileFault {
  // A mistake that is in no element is in the stylesheet.
  const place = error instanceof TemplateFault ? error.place : (template.tree.css[0]?.place ?? { line: 1, column: 1 });
  return new TemplateFileFault(
    template.path,
    'cannot paint its own example',
    error.message,
    inFile(template, place),
    error,
  );
}

/** Words have no width, which no style depends on. */
function sketcher(): Painter {
  const renderer = new Renderer();
  return {
    coverage: { has: () => true },
    emoji: { find: () => undefined, svg: () => Buffer.alloc(0) },
    async loadFontsFor() {},
    async loadAllFonts() {},
    async registerFont() {},
    measure: (node, _, room, { css = [], images = [] } = {}) =>
      renderer.measure(node, { ...room, images: [...images], ...(css.length > 0 && { css: [...css] }) }),
    async paint(node, { width, height }, scale, _, { css = [], images = [] } = {}) {
      const room = { width: width / scale, height: height / scale };
      await renderer.measure(node, { ...room, images: [...images], ...(css.length > 0 && { css: [...css] }) });
      return Buffer.alloc(0);
    },
  };
}
