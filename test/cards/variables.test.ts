import { beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/kernel/errors.ts';
import { createTestMaker, type TestMaker } from './maker.ts';

let maker: TestMaker;
beforeAll(async () => {
  maker = await createTestMaker();
});

const check = (template: string, variables: Record<string, string>) =>
  maker.check(template, new Map(Object.entries(variables)));

const refusal = (template: string, variables: Record<string, string>): Partial<Problem> => {
  try {
    check(template, variables);
  } catch (error) {
    const { status, code, parameter, message } = error as Problem;
    return { status, code, parameter, message };
  }
  return {};
};

describe('an invalid variable is a 400 that names it and says what is allowed', () => {
  it.each<[string, string, string, RegExp]>([
    ['blog-post', 'title', 'x'.repeat(2001), /^title must be a text of at most 2000 characters\.$/],
    [
      'default',
      'accent',
      'reddish',
      /^accent must be a color: #rgb, .*hsla\(\) or a CSS name; in a URL # is written %23\.$/,
    ],
    ['default', 'bgColor', '#12345', /^bgColor must be a color/],
    ['default', 'avatar', 'http://example.com/a.png', /^avatar must be an https URL of at most 4096 characters\.$/],
    ['default', 'avatar', 'data:image/png;base64,AAAA', /^avatar must be an https URL/],
    ['default', 'avatar', 'file:///etc/passwd', /^avatar must be an https URL/],
    ['default', 'avatar', 'https://', /^avatar must be an https URL/],
    ['default', 'avatar', `https://example.com/${'a'.repeat(5000)}`, /^avatar must be an https URL/],
    [
      'changelog-card',
      'change_items',
      Array(21).fill('x').join('\n'),
      /^change_items must be at most 20 items, one a line \(%0A\); it has 21\.$/,
    ],
    [
      'changelog-card',
      'change_items',
      'x'.repeat(501),
      /^change_items must be items of at most 500 characters each\.$/,
    ],
    ['default', 'unknown_items', Array(21).fill('x').join('\n'), /^unknown_items must be at most 20 items/],
    ['default', 'unknown', 'x'.repeat(2001), /^unknown must be a text of at most 2000 characters\.$/],
  ])('%s: %s', (template, name, value, message) => {
    expect(refusal(template, { [name]: value })).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      parameter: name,
      message: expect.stringMatching(message),
    });
  });

  it('an image at an address that is not public is refused before anything is fetched', () => {
    expect(refusal('default', { avatar: 'https://10.0.0.1/a.png' })).toMatchObject({
      status: 400,
      code: 'target_refused',
      parameter: 'avatar',
      message: 'avatar leads to 10.0.0.1, which is not public.',
    });
  });

  it('an unknown template is 400 and the names that exist are listed', () => {
    expect(refusal('blogpost', {})).toMatchObject({
      status: 400,
      code: 'template_not_found',
      parameter: 'template',
      message: expect.stringMatching(
        /^There is no template "blogpost"\. Did you mean blog-post\? Templates: .*stats-card/,
      ),
    });
    expect(refusal('__proto__', {}).code).toBe('template_not_found');
    expect(refusal('constructor', {}).code).toBe('template_not_found');
  });
});

describe('a good variable passes', () => {
  it('with 2,000 characters, not UTF-16 code units', () => {
    expect(check('default', { title: '💥'.repeat(2000) }).warnings).toEqual([]);
  });

  it('with 20 items, blank lines and carriage returns not counted', () => {
    const items = Array(20).fill('x').join('\r\n\r\n');
    expect(check('changelog-card', { change_items: `\n${items}\n\n  \n` }).warnings).toEqual([]);
  });

  it('empty, which is the same as absent', async () => {
    const empty = { title: '', description: '', accent: '', bgColor: '', avatar: '', site: '' };
    expect(check('default', empty).warnings).toEqual([]);
    expect((await maker.card('default', { ...empty, title: 'Hello' })).bytes).toEqual(
      (await maker.card('default', { title: 'Hello' })).bytes,
    );
  });

  it('and is handed on as it was written, without those that do not change the card', () => {
    const variables = { title: ' Hello ', accent: '#F00' };
    expect(check('default', { ...variables, extra: 'x', author: '' }).variables).toEqual(variables);
  });
});

describe('a variable that the template does not use', () => {
  it('is named in a warning, with the nearest known name', () => {
    expect(check('default', { titel: 'Hello', bg_color: '#fff', zebra: 'x' }).warnings).toEqual([
      'titel is not used by template default; did you mean title?',
      'bg_color is not used by template default; did you mean bgColor?',
      'zebra is not used by template default',
    ]);
  });

  it('does not change the picture', async () => {
    const [plain, more] = await Promise.all([
      maker.card('default', { title: 'Hello' }),
      maker.card('default', { title: 'Hello', zebra: 'x' }),
    ]);
    expect(more.bytes.equals(plain.bytes)).toBe(true);
  });

  it('called __proto__ or constructor is treated like any other', () => {
    const variables = new Map([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(maker.check('default', variables).warnings).toHaveLength(2);
    expect(Object.keys(maker.check('default', variables).variables)).toEqual([]);
  });
});

describe('characters that no font has', () => {
  it('are left out, and the warning says which', async () => {
    const card = await maker.card('default', { title: 'A\ue000B\u{10ffff}' });
    expect(card.warnings).toEqual([
      'title has characters that no font here has, so they are left out: U+E000, U+10FFFF',
    ]);
    expect(card.bytes.equals((await maker.card('default', { title: 'AB' })).bytes)).toBe(true);
  });
});
