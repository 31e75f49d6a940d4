// The sizes and values in which the editor shows a card: a template must look right in all of them.
import type { VariableBody, VariableView } from '../../api.ts';

export type Values = Readonly<Record<string, string>>;
type Said = Readonly<Record<string, VariableBody>>;

export type Look = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  values(variables: readonly VariableView[], said: Said): Values;
};

const examples = (variables: readonly VariableView[], said: Said): Values =>
  Object.fromEntries(
    variables.map(({ name }) => [name, said[name]?.example ?? '']).filter(([, value]) => value !== ''),
  );

/** The texts of a template, the headline first: `title`, or the one with the longest example. */
function textsOf(variables: readonly VariableView[], said: Said): string[] {
  const length = (name: string) => (name === 'title' ? Number.POSITIVE_INFINITY : (said[name]?.example ?? '').length);
  const texts = variables.filter(({ type }) => type === 'text' || type === 'items').map(({ name }) => name);
  return texts.sort((a, b) => (length(a) === length(b) ? 0 : length(b) - length(a)));
}

/** The examples, with other texts. Those that `text` has none for stay. */
const withText =
  (text: (at: number) => string | undefined) =>
  (variables: readonly VariableView[], said: Said): Values => {
    const others = textsOf(variables, said).map((name, at) => [name, text(at)] as const);
    return {
      ...examples(variables, said),
      ...Object.fromEntries(others.filter((pair): pair is [string, string] => pair[1] !== undefined)),
    };
  };

const sentence = 'A long headline that somebody wrote without thinking of the card, and that goes on and on. ';
const arabic = ['بناء واجهات برمجية يحبها المطورون', 'الدليل الكامل', 'ليلى حداد'];
const japanese = ['開発者に愛されるAPIの設計', '完全ガイド', '山田 花子'];

export const largeLook: Look = { name: 'Card', width: 1200, height: 630, values: examples };

const small = { width: 480, height: 252 };

export const looksOf = (variables: readonly VariableView[]): readonly Look[] => [
  { name: 'Square', width: 420, height: 420, values: examples },
  { name: 'Tall', width: 360, height: 640, values: examples },
  { name: 'One word', ...small, values: withText(() => 'Hello') },
  {
    name: '300 characters',
    ...small,
    values: withText((at) => (at === 0 ? sentence.repeat(4).slice(0, 300) : undefined)),
  },
  { name: 'Arabic', ...small, values: withText((at) => arabic[at % arabic.length]) },
  { name: 'Japanese', ...small, values: withText((at) => japanese[at % japanese.length]) },
  ...(variables.some(({ type }) => type === 'image_url') ? [withoutImage] : []),
];

const withoutImage: Look = {
  name: 'Without image',
  ...small,
  values(variables, said) {
    const images = new Set(variables.filter(({ type }) => type === 'image_url').map(({ name }) => name));
    return Object.fromEntries(Object.entries(examples(variables, said)).filter(([name]) => !images.has(name)));
  },
};
