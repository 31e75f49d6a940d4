// The colors of a card are derived from two: its background and its accent. Whatever a caller chooses, text has at
// least WCAG's contrast of 4.5:1.
import { black, type Color, color, contrast, luminance, mix, over, white } from './color.ts';

export const readableRatio = 4.5;
/** Colors are rounded to 8 bits afterwards, so a little more than the required contrast is needed. */
const margin = 0.08;

export type Palette = {
  readonly ground: Color;
  readonly isDark: boolean;
  /** Titles. */
  readonly ink: Color;
  /** Second-rank text. */
  readonly muted: Color;
  /** Hairlines and outlines: no text in this colour. */
  readonly line: Color;
  /** A panel that lies on the ground; ink and muted are readable on it too. */
  readonly surface: Color;
  /** The accent as it was given, for fills. */
  readonly accent: Color;
  /** Text on the accent. */
  readonly onAccent: Color;
  /** Signs on the accent, which need 3:1 (WCAG 1.4.11) where text needs 4.5:1. */
  readonly signOnAccent: Color;
  /** The accent as text on the ground: darkened or lightened until it can be read. */
  readonly accentInk: Color;
  /** The ground with a breath of the accent, for glows behind text. */
  readonly glow: Color;
};

/** Black or white, whichever has the better contrast on the worst of these backgrounds. */
function extreme(grounds: readonly Color[]): Color {
  const worst = (ink: Color) => Math.min(...grounds.map((ground) => contrast(ink, ground)));
  return worst(white) >= worst(black) ? white : black;
}

/** The wanted color, moved towards black or white as far as needed to be readable on these backgrounds. */
export const readable = (wanted: Color, ...grounds: readonly Color[]): Color =>
  readableTowards(extreme(grounds), wanted, grounds);

function readableTowards(end: Color, wanted: Color, grounds: readonly Color[]): Color {
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(wanted, end, share);
    if (grounds.every((ground) => contrast(candidate, ground) >= readableRatio + margin)) return candidate;
  }
  return end;
}

export function palette(groundWanted: Color, accentWanted: Color): Palette {
  const ground = over(groundWanted, white);
  const asked = over(accentWanted, ground);
  // Decided once, so that a medium background does not get light text in one place and dark text in another.
  const end = extreme([ground]);
  const isDark = end === white;
  // Away from the text color, so that text on it stays as readable as on the background.
  const surface = mix(ground, isDark ? black : white, luminance(ground) > 0.9 || luminance(ground) < 0.02 ? 0 : 0.35);
  // An accent that is too similar to the background becomes a shade of it.
  const accent = distance(asked, ground) < 48 ? mix(ground, end, 0.16) : asked;
  const glow = glowOf(ground, accent, end);
  const onBoth = (wanted: Color) => readableTowards(end, wanted, [ground, glow]);
  const ink = onBoth(isDark ? color('#fafafa') : color('#0c0d10'));
  return {
    ground,
    isDark,
    ink,
    muted: onBoth(mix(ink, ground, 0.36)),
    line: mix(ground, ink, isDark ? 0.16 : 0.12),
    surface,
    accent,
    // White looks better than black on a strong color, so it is preferred if it is readable.
    onAccent: contrast(white, accent) >= readableRatio + margin ? white : readable(color('#0c0d10'), accent),
    signOnAccent: contrast(white, accent) >= 3 + margin ? white : black,
    accentInk: onBoth(accent),
    glow,
  };
}

const distance = (one: Color, other: Color): number => Math.hypot(one.r - other.r, one.g - other.g, one.b - other.b);

/** The background with as much of the accent as leaves text readable. */
function glowOf(ground: Color, accent: Color, end: Color): Color {
  const least = Math.max(readableRatio + margin, Math.min(7, contrast(end, ground) * 0.8));
  for (let share = 0.34; share > 0; share -= 0.02) {
    const candidate = mix(ground, accent, share);
    if (contrast(end, candidate) >= least) return candidate;
  }
  return ground;
}
