// Whatever accent a partner picks, what is written on it and in it is readable: WCAG 2's 4.5:1 for text, 3:1 for lines.
import { clampChroma, converter, parse, wcagContrast } from 'culori'
import { type Colour, oklchText, PALETTE, type Scheme, SURFACES } from './palette.ts'

const TEXT_CONTRAST = 4.5
const LINE_CONTRAST = 3

const toOklch = converter('oklch')

/** The accent `#rrggbb` for light or for dark. @throws Error when it is no colour */
export function accentOf(color: string, scheme: Scheme) {
  const parsed = toOklch(parse(color))
  if (!parsed) throw new Error(`${color} is no colour.`)
  const accent: Colour = [parsed.l, parsed.c, parsed.h ?? 0]
  const text = contrast(accent, BLACK) > contrast(accent, WHITE) ? BLACK : WHITE
  const [, chroma, hue] = accent
  const soft = inGamut(
    scheme === 'light' ? [0.955, Math.min(chroma, 0.03), hue] : [0.29, Math.min(chroma, 0.06), hue]
  )
  const surfaces = SURFACES.map((name) => PALETTE[scheme][name])
  const direction = scheme === 'light' ? -1 : 1
  return {
    /** What buttons are filled with: the partner's own colour. */
    accent,
    'accent-text': text,
    /** A step away from what is written on it. */
    'accent-hover': inGamut([accent[0] + (text === WHITE ? -0.06 : 0.06), chroma, hue]),
    /** Links, and what else is written in it. */
    'accent-ink': shifted(accent, direction, [...surfaces, soft], TEXT_CONTRAST),
    /** Borders and focus rings. */
    'accent-line': shifted(accent, direction, surfaces, LINE_CONTRAST),
    /** Behind what is chosen. */
    'accent-soft': soft
  }
}

const WHITE: Colour = [1, 0, 0]
const BLACK: Colour = [0, 0, 0]

/** The nearest lightness in that direction that stands out enough from everything it may stand on. */
function shifted(colour: Colour, direction: 1 | -1, grounds: readonly Colour[], least: number): Colour {
  const [lightness, chroma, hue] = colour
  for (let shift = 0; shift <= 1; shift += 0.01) {
    const candidate = inGamut([clamped(lightness + direction * shift), chroma, hue])
    if (grounds.every((ground) => contrast(candidate, ground) >= least)) return candidate
  }
  return direction === 1 ? WHITE : BLACK
}

const clamped = (lightness: number): number => Math.min(1, Math.max(0, lightness))

function inGamut([lightness, chroma, hue]: Colour): Colour {
  const shown = clampChroma({ mode: 'oklch', l: clamped(lightness), c: chroma, h: hue }, 'oklch')
  return [shown.l, shown.c, shown.h ?? 0]
}

/** Of the colours as they are written, so that rounding can't take the last hundredth. */
const contrast = (one: Colour, other: Colour): number => wcagContrast(oklchText(one), oklchText(other))
