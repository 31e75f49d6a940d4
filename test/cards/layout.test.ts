// What the built-in templates promise about long texts, measured in their layout.
import { beforeAll, describe, expect, it } from 'vitest';
import { arrange } from '../../src/cards/typeset.ts';
import { createLayouts, type LayoutOf, type PlacedText } from './layout.ts';

let layoutOf: LayoutOf;
beforeAll(async () => {
  layoutOf = await createLayouts();
});

const every = ['wide', 'square', 'tall'] as const;
const isWhole = ({ text, lines }: PlacedText) => lines.join(' ') === text;

describe('pricing', () => {
  const plan = { title: 'Business', description: 'For companies.', feature_items: 'SSO\nAudit log', site: 'Tintype' };

  it.each([
    ['€1,299', 'per user and month'],
    ['Kostenlos', 'für immer'],
    ['Talk to our sales team', 'per seat'],
    ['฿12,990', 'ต่อผู้ใช้ต่อเดือน'],
    ['¥128,000', '1ユーザーあたり月額'],
  ])('%s is on one line, whole, and apart from its period', async (price, period) => {
    for (const shape of every) {
      const { find } = await layoutOf('pricing', { ...plan, price, period }, shape);
      expect(find(price).lines, shape).toEqual([price]);
      const apart = find(period).left >= find(price).right || find(period).top >= find(price).bottom;
      expect(apart, shape).toBe(true);
    }
  });

  it('a period that does not fit beside the price is below it, and the description still inside the margins', async () => {
    const { find } = await layoutOf('pricing', { ...plan, price: '€1,299', period: 'per user and month' });
    expect(find('per user and month').top).toBeGreaterThan(find('€1,299').bottom);
    expect(find('For companies.').bottom).toBeLessThan(630 - 72);
    const arabic = {
      title: 'الخطة',
      price: '١٬٢٩٩ ر.س',
      period: 'لكل مستخدم في الشهر',
      description: 'للشركات',
      feature_items: 'كل شيء',
    };
    const { find: inArabic } = await layoutOf('pricing', arabic);
    expect(inArabic('للشركات').bottom).toBeLessThan(630 - 72);
    expect(inArabic(arabic.price).bottom - inArabic(arabic.price).top).toBeLessThan(150);
  });

  it('a short period stays beside the price', async () => {
    const { find } = await layoutOf('pricing', { ...plan, price: '$29', period: 'a month' });
    expect(find('a month').left).toBeGreaterThan(find('$29').right);
  });
});

describe('repository', () => {
  const figures = { language: 'TypeScript', stars: '4.8k', forks: '212', issues: '17' };
  const card = { title: 'tintype', owner: 'tintype', description: 'Screenshots.', ...figures };

  it.each(['Tintype Labs', 'documentation.rendering-platform.example-company.com'])(
    'the language and the figures are whole beside the brand %s',
    async (site) => {
      for (const shape of every) {
        const { find } = await layoutOf('repository', { ...card, site, logo: 'yes' }, shape);
        for (const figure of Object.values(figures)) expect(isWhole(find(figure)), `${figure} ${shape}`).toBe(true);
      }
    },
  );

  it('a square card has the brand on a line of its own', async () => {
    const { find } = await layoutOf('repository', { ...card, site: 'Tintype Labs' }, 'square');
    expect(find('Tintype Labs').bottom).toBeLessThan(find('tintype /').top);
  });

  it('long figures are whole, and a long language is cut before them', async () => {
    const long = { stars: '1,234,567', forks: '212,000', issues: '17,000' };
    const language = 'Jupyter Notebook and Visual Basic .NET';
    for (const shape of every) {
      const { find } = await layoutOf('repository', { ...card, ...long, language, site: 'Tintype Labs' }, shape);
      for (const figure of Object.values(long)) expect(isWhole(find(figure)), `${figure} ${shape}`).toBe(true);
      expect(isWhole(find(language)), shape).toBe(false);
    }
  });
});

describe('changelog-card', () => {
  it.each(['v2.14.0', 'v2.14.0-beta.3'])(
    'the version %s and its date are whole beside logo and site',
    async (version) => {
      const date = '3 September 2026';
      for (const shape of every) {
        const values = { title: 'Faster cards', version, date, change_items: 'One', site: 'Tintype Labs', logo: 'yes' };
        const { find } = await layoutOf('changelog-card', values, shape);
        expect(isWhole(find(version)), shape).toBe(true);
        expect(isWhole(find(date)), shape).toBe(true);
      }
    },
  );
});

describe('lists', () => {
  const items = 'First item\nSecond item\nThird item\nFourth item';

  it('comparison with long titles shows two items of each side, and every title whole', async () => {
    const titles = {
      title: 'Which plan is the right one for a team that is growing fast?',
      left_title: 'Self-hosted Community Edition',
      right_title: 'Managed Business Cloud',
    };
    for (const shape of every) {
      const { texts, find } = await layoutOf(
        'comparison',
        { ...titles, left_items: items, right_items: items.replaceAll('item', 'point'), site: 'Tintype' },
        shape,
      );
      for (const item of ['First item', 'Second item', 'First point', 'Second point']) expect(find(item)).toBeDefined();
      for (const title of Object.values(titles)) expect(isWhole(find(title)), `${title} ${shape}`).toBe(true);
      expect(Math.max(...texts.map(({ bottom }) => bottom))).toBeLessThan(
        { wide: 558, square: 776, tall: 1216 }[shape] + 1,
      );
    }
  });

  it('changelog-card with a long headline, description and author shows an item', async () => {
    const values = {
      title: 'How we rebuilt the whole rendering pipeline from the ground up and made each card four times faster',
      description: 'Screenshots, PDFs and Open Graph images from one service that you run yourself, on every machine.',
      version: 'v2.4.0',
      change_items: items,
      author: 'Ada Lovelace',
    };
    for (const shape of every) {
      const { find } = await layoutOf('changelog-card', values, shape);
      expect(find('First item').bottom).toBeLessThan(find('Ada Lovelace').top);
      expect(isWhole(find(values.title)), shape).toBe(true);
    }
  });
});

describe('code-snippet', () => {
  it('comments in Japanese, Korean, Thai and Hindi, and emoji, end inside the window', async () => {
    const code = [
      '// ユーザーの入力を検証してから、署名付きリンクを作成してクライアントへ返します',
      '// 서명된 링크를 만들어 클라이언트에 반환하기 전에 사용자 입력을 검증합니다. 만료된 링크는 거부됩니다',
      '// สวัสดีครับ นี่คือความคิดเห็นที่ยาวพอสมควรในภาษาไทยเพื่อทดสอบการตัดบรรทัดของโค้ดที่ยาวมาก',
      '// हम उपयोगकर्ता के इनपुट की जाँच करते हैं और फिर हस्ताक्षरित लिंक बनाते हैं',
    ].join('\n');
    for (const [shape, edge] of [
      ['wide', 1128],
      ['square', 776],
      ['tall', 656],
    ] as const) {
      const { texts } = await layoutOf('code-snippet', { code, title: '署名付きリンク', filename: '署名.ts' }, shape);
      for (const { text, right } of texts) expect(right, `${text} ${shape}`).toBeLessThanOrEqual(edge + 1);
    }
  });

  it('in a right-to-left card the numbers keep their distance from the code', async () => {
    const code = '// يتحقق من التوقيع\nconst x = sign(path);';
    for (const shape of every) {
      const { find } = await layoutOf('code-snippet', { code, title: 'روابط موقعة' }, shape);
      expect(find('const x = sign(path);').left - find('2').right).toBeGreaterThan(10);
    }
  });

  it('code that does not fit ends with an ellipsis, code that fits does not', async () => {
    const code = (count: number) => Array.from({ length: count }, (_, i) => `value${i};`).join('\n');
    for (const shape of every) {
      const { texts } = await layoutOf('code-snippet', { code: code(60), title: 'Many' }, shape);
      expect(texts.at(-1)?.text, shape).toBe('…');
      const { texts: few } = await layoutOf('code-snippet', { code: code(3), title: 'Few' }, shape);
      expect(few.some(({ text }) => text === '…')).toBe(false);
    }
  });
});

describe('profile', () => {
  it('a long name keeps its distance from the brand', async () => {
    const title = 'Dr. Anna-Katharina Müller-Lüdenscheidt';
    const values = {
      title,
      role: 'Head of design',
      description:
        'Draws letters for small screens and large walls, and teaches type at the academy of arts. Open on Thursdays and Fridays.',
      handle: '@studionorth',
      site: 'Studio North',
      logo: 'yes',
      avatar: 'yes',
    };
    for (const shape of every) {
      const { find } = await layoutOf('profile', values, shape);
      expect(find(title).top - find('Studio North').bottom, shape).toBeGreaterThan(24);
      expect(find('@studionorth').bottom).toBeLessThan({ wide: 558, square: 776, tall: 1216 }[shape] + 1);
    }
  });
});

describe('from right to left', () => {
  it('a glow moves to the other side with the shapes around it', () => {
    const glow = (direction: 'ltr' | 'rtl') =>
      arrange(
        { type: 'container', style: { backgroundImage: 'radial-gradient(circle at 90% 0%, red 0%, blue 70%)' } },
        direction,
      ).style?.backgroundImage;
    expect(glow('ltr')).toBe('radial-gradient(circle at 90% 0%, red 0%, blue 70%)');
    expect(glow('rtl')).toBe('radial-gradient(circle at 10% 0%, red 0%, blue 70%)');
  });

  it('nothing is mirrored inside a part that runs from left to right', () => {
    const child = { type: 'container' as const, style: { marginRight: 8 } };
    const tree = { type: 'container' as const, dir: 'ltr' as const, style: { marginLeft: 4 }, children: [child] };
    const arranged = arrange({ type: 'container', children: [tree, child] }, 'rtl');
    expect(arranged).toMatchObject({
      children: [
        { style: { marginRight: 4 }, children: [{ style: { marginRight: 8 } }] },
        { style: { marginLeft: 8 } },
      ],
    });
  });
});
