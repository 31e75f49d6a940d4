import type { Template } from '../card-types.ts';
import { box, column, cover, pill, row, sheet, spacer } from '../design/blocks.ts';
import { css, mix } from '../design/color.ts';
import { colorVariables, paletteOf } from '../design/common.ts';
import { icon } from '../design/icons.ts';
import type { Palette } from '../design/palette.ts';
import { headlineSizes, scale, text } from '../design/type.ts';

/** Bars of a waveform derived from the text: the same text always has the same bars. */
function soundOf(text: string, bars: number): number[] {
  let seed = 2166136261;
  for (const char of text) seed = Math.imul(seed ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return Array.from({ length: bars }, (_, i) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const noise = seed / 2 ** 32;
    const swell = 0.55 + 0.45 * Math.sin((i / bars) * Math.PI * 5 + (seed % 7) * 0.1);
    return Math.max(0.1, noise * swell);
  });
}

function wave(words: string, width: number, height: number, colors: Palette) {
  const step = 14;
  const bars = soundOf(words, Math.max(1, Math.floor(width / step)));
  const played = Math.round(bars.length * 0.38);
  return row(
    { width, height, gap: step - 6, flexShrink: 0 },
    ...bars.map((share, i) =>
      box({
        width: 6,
        height: Math.max(6, Math.round(share * height)),
        borderRadius: 3,
        backgroundColor: css(i < played ? colors.accent : colors.line),
        flexShrink: 0,
      }),
    ),
  );
}

export default {
  name: 'podcast',
  description: 'An episode: the cover, the show, the number, the guest, and a waveform.',
  variables: {
    title: { type: 'text', doc: 'The title of the episode.', default: 'New episode' },
    show: { type: 'text', doc: 'The name of the show.' },
    episode: { type: 'text', doc: 'The number of the episode, such as Episode 42.' },
    guest: { type: 'text', doc: 'The guest.' },
    duration: { type: 'text', doc: 'The length, such as 48 min.' },
    cover: { type: 'image_url', doc: 'The cover, square.' },
    ...colorVariables('#e11d48', '#1a0f1f'),
  },
  example: {
    title: 'Why is text so hard?',
    show: 'Pixel Perfect',
    episode: 'Episode 42',
    guest: 'with the Rendering Guild',
    duration: '48 min',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const title = draft.text('title');
    const beside = shape === 'wide';
    const waveHeight = compact ? 40 : 88;
    const side =
      compact && beside
        ? 0
        : beside
          ? inner.height - waveHeight - 48
          : Math.min(inner.width * (shape === 'tall' ? 1 : 0.46), inner.height * 0.48);
    const image = draft.image('cover');
    const art =
      side > 0 &&
      (image
        ? cover(image, side, side, { borderRadius: 20 })
        : box(
            {
              width: side,
              height: side,
              borderRadius: 20,
              flexShrink: 0,
              alignItems: 'center',
              justifyContent: 'center',
              backgroundImage: `linear-gradient(135deg, ${css(colors.accent)}, ${css(mix(colors.accent, colors.ground, 0.55))})`,
            },
            icon('play', side * 0.32, colors.signOnAccent),
          ));
    const width = beside && side > 0 ? inner.width - side - 56 : inner.width;
    const height = beside
      ? inner.height - waveHeight - (compact ? 20 : 48)
      : inner.height - side - waveHeight - (compact ? 40 : 96);
    const show = compact ? '' : draft.text('show');
    const episode = compact ? '' : draft.text('episode');
    const foot = compact ? '' : [draft.text('guest'), draft.text('duration')].filter(Boolean).join('  ·  ');
    const headline = await draft.fit(title, {
      width,
      height: height - (show || episode ? 76 : 0) - (foot ? 64 : 0),
      sizes: headlineSizes(frame, 88),
      weight: 700,
      tracking: -0.028,
      color: colors.ink,
      balance: true,
    });
    const words = column(
      { width, height, flexShrink: 0 },
      (show || episode) &&
        row(
          { gap: 20, height: 48, marginBottom: 28, flexShrink: 0 },
          episode && pill(episode, colors.accent, colors.onAccent),
          show &&
            text(show, {
              size: scale.body,
              weight: 600,
              color: colors.muted,
              lines: 1,
              style: { minWidth: 0, flexShrink: 1 },
            }),
        ),
      !show && !episode && spacer(),
      headline.node,
      spacer(),
      foot && text(foot, { size: scale.body, color: colors.muted, lines: 1 }),
    );
    return sheet(
      frame,
      { color: colors.ground },
      {},
      beside ? row({ gap: 56, alignItems: 'flex-start' }, art, words) : column({ gap: compact ? 20 : 48 }, art, words),
      spacer(),
      wave(title, inner.width, waveHeight, colors),
    );
  },
} satisfies Template;
