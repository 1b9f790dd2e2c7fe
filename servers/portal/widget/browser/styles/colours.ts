// The portal's own palette; every colour can be set from outside as `--mindgate-…`. Light or dark follows the
// `color-scheme` of the page around.
import { type Colour, oklchText, PALETTE } from '../../../assets/palette.ts'

/** The accent of who sets none: Mindgate's, fitted to both schemes as the portal fits a partner's. */
export const ACCENT = {
  light: {
    accent: [0.4882, 0.2172, 264.38],
    'accent-text': [1, 0, 0],
    'accent-hover': [0.4282, 0.2172, 264.38],
    'accent-ink': [0.4882, 0.2172, 264.38],
    'accent-line': [0.4882, 0.2172, 264.38],
    'accent-soft': [0.955, 0.0212, 264.38]
  },
  dark: {
    accent: [0.4882, 0.2172, 264.38],
    'accent-text': [1, 0, 0],
    'accent-hover': [0.4282, 0.2172, 264.38],
    'accent-ink': [0.6682, 0.1751, 264.38],
    'accent-line': [0.5482, 0.2172, 264.38],
    'accent-soft': [0.29, 0.06, 264.38]
  }
} as const satisfies Record<'light' | 'dark', Record<string, Colour>>

const DARK: Readonly<Record<string, Colour>> = { ...PALETTE.dark, ...ACCENT.dark }

const declarations = Object.entries({ ...PALETTE.light, ...ACCENT.light })
  .filter(([name]) => name !== 'bad-fill')
  .map(([name, light]) => {
    const both = `light-dark(${oklchText(light)}, ${oklchText(DARK[name] ?? light)})`
    // Who sets the accent alone has it at its edge and under the pointer, too.
    const usual =
      /-(hover|line)$/.test(name) && name.startsWith('accent') ? `var(--mindgate-accent, ${both})` : both
    return `--${name}: var(--mindgate-${name}, ${usual});`
  })

export const COLOURS = `.chat { ${declarations.join(' ')} }`
