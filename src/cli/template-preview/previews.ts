// The templates of a folder, painted with their examples and with texts that test them.
import { openEgress } from '../../app/renderers.ts';
import type { Template } from '../../cards/card-types.ts';
import { cardTimeoutMs, createCardMaker } from '../../cards/cards.ts';
import { readTemplateFile, templatesIn } from '../../cards/template-file.ts';
import type { Config } from '../../config.ts';
import { Deadline } from '../../kernel/deadline.ts';
import type { Log } from '../../kernel/log.ts';
import { faultLine } from '../template-faults.ts';

const shapes: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  wide: { width: 1200, height: 630 },
  square: { width: 840, height: 840 },
  tall: { width: 720, height: 1280 },
};

const longText =
  'A title that somebody pasted from the first paragraph of an article, because the field allowed it, and that goes on for three hundred characters: with commas, a clause or two – and a dash – before it comes to its end, which it does here, at last, in the fourth or the fifth line of a card that was made for six words.';

/** What all texts of a template are, instead of its example. */
const texts: Readonly<Record<string, string>> = {
  word: 'Hello',
  long: longText,
  arabic: 'كيف أعدنا بناء خط إنتاج الصور بالكامل وجعلناه أسرع',
  japanese: '画像生成の仕組みを一から作り直して四倍速くした話',
};

type Shown = { readonly name: string; readonly description: string; readonly version: string; readonly fault?: string };

export type Previews = {
  state(): Promise<{ readonly templates: readonly Shown[] }>;
  /** A png, or the mistake as a line. */
  paint(wish: { readonly name: string; readonly shape: string; readonly values: string }): Promise<Buffer | string>;
  stop(): Promise<void>;
};

export async function createPreviews(folder: string, config: Config, log: Log): Promise<Previews> {
  const egress = openEgress(config, log);
  const cards = await createCardMaker({ egress, log });
  const read = async (name: string): Promise<Template | string> =>
    readTemplateFile(folder, name).catch((error: Error) => faultLine(error, { name }));

  return {
    async state() {
      const templates = await Promise.all(
        (await templatesIn(folder)).map(async (name): Promise<Shown> => {
          const template = await read(name);
          if (typeof template === 'string') return { name, description: '', version: template, fault: template };
          return { name, description: template.description, version: template.version };
        }),
      );
      return { templates };
    },
    async paint({ name, shape, values }) {
      const size = Object.hasOwn(shapes, shape) ? shapes[shape] : undefined;
      const known = (await templatesIn(folder)).includes(name);
      if (size === undefined || !known) return 'There is no such template, or no such shape.';
      const template = await read(name);
      if (typeof template === 'string') return template;
      const { html: source, variables, files } = template;
      const deadline = new Deadline(cardTimeoutMs);
      try {
        const canvas = { ...size, format: 'png', quality: 80 } as const;
        const html = { source, variables, files };
        const request = { ...canvas, template: name, html, variables: valuesOf(template, values) };
        return (await cards.render(request, deadline)).bytes;
      } catch (error) {
        return faultLine(error as Error, template);
      } finally {
        deadline.done();
      }
    },
    async stop() {
      await cards.stop();
      await egress.stop();
    },
  };
}

function valuesOf({ variables, example }: Template, values: string): Readonly<Record<string, string>> {
  if (values === 'none') return {};
  const text = Object.hasOwn(texts, values) ? texts[values] : undefined;
  if (text === undefined) return example;
  const filled = Object.entries(variables)
    .filter(([, { type }]) => type === 'text' || type === 'items')
    .map(([name, { type }]) => [name, type === 'items' ? Array(3).fill(text).join('\n') : text]);
  return Object.fromEntries(filled);
}
