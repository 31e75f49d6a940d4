// One card for everybody: the blog post, as elements that satori and @vercel/og take, and from which the
// tree of Takumi and the HTML of a browser are made. Only what all of them can lay out is used.

/** @typedef {{ type: string, props: { style: Record<string, string | number>, children?: Element[] | string } }} Element */

/** @type {(style: Record<string, string | number>, children?: Element[] | string) => Element} */
const div = (style, children) => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, ...(children && { children }) },
});

/** @type {(title: string) => Element} */
export const card = (title) =>
  div(
    { width: 1200, height: 630, padding: 72, flexDirection: 'column', backgroundColor: '#faf7f1', fontFamily: 'Inter' },
    [
      div({ alignItems: 'center', height: 32, marginBottom: 28 }, [
        div({ width: 32, height: 4, backgroundColor: '#b4442e', marginRight: 16 }),
        div({ fontSize: 22, fontWeight: 600, color: '#9a3a27' }, 'Engineering'),
      ]),
      div(
        {
          fontFamily: 'Source Serif',
          fontSize: 72,
          fontWeight: 600,
          lineHeight: 1.08,
          letterSpacing: '-0.014em',
          color: '#0c0d10',
        },
        title,
      ),
      div(
        { marginTop: 24, fontFamily: 'Source Serif', fontSize: 30, lineHeight: 1.38, color: '#5f5d5a' },
        'Three years of broken fonts, endless banners and one very patient queue.',
      ),
      div({ flexGrow: 1 }),
      div({ height: 2, backgroundColor: '#dfdcd6', marginBottom: 32 }),
      div({ alignItems: 'center' }, [
        div(
          {
            width: 64,
            height: 64,
            borderRadius: 32,
            backgroundColor: '#b4442e',
            alignItems: 'center',
            justifyContent: 'center',
            marginRight: 20,
            fontSize: 24,
            fontWeight: 600,
            color: '#ffffff',
          },
          'ET',
        ),
        div({ flexDirection: 'column' }, [
          div({ fontSize: 26, fontWeight: 600, lineHeight: 1.3, color: '#0c0d10' }, 'Editorial team'),
          div({ fontSize: 22, lineHeight: 1.3, color: '#5f5d5a' }, '12 March 2026'),
        ]),
      ]),
    ],
  );

export const titleOf = (/** @type {number} */ round) => `What we learned from rendering ten million pages (${round})`;

/** @type {(element: Element) => unknown} */
export function toNode({ props: { style, children } }) {
  if (typeof children === 'string') return { type: 'container', style, children: [{ type: 'text', text: children }] };
  return { type: 'container', style, children: (children ?? []).map(toNode) };
}

const withUnit = new Set([
  'width',
  'height',
  'padding',
  'marginBottom',
  'marginRight',
  'marginTop',
  'fontSize',
  'borderRadius',
]);

/** @type {(element: Element) => string} */
export function toHtml({ props: { style, children } }) {
  const css = Object.entries(style)
    .map(
      ([name, value]) =>
        `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}${withUnit.has(name) ? 'px' : ''}`,
    )
    .join(';');
  const inside = typeof children === 'string' ? children : (children ?? []).map(toHtml).join('');
  return `<div style="box-sizing:border-box;${css}">${inside}</div>`;
}

/** The faces the card uses: file of @fontsource, family, weight. */
export const faces = /** @type {const} */ ([
  ['inter', 'Inter', 400],
  ['inter', 'Inter', 600],
  ['source-serif-4', 'Source Serif', 400],
  ['source-serif-4', 'Source Serif', 600],
]);
