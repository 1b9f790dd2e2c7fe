// The fonts of every page, and every colour but the accent, as oklch: lightness, chroma, hue. The accent is fitted to these.

export type Scheme = 'light' | 'dark'
export type Colour = readonly [lightness: number, chroma: number, hue: number]

const COLOURS = {
  surface: { light: [0.985, 0.002, 260], dark: [0.175, 0.01, 260] },
  'surface-raised': { light: [1, 0, 0], dark: [0.21, 0.012, 260] },
  'surface-sunken': { light: [0.965, 0.004, 260], dark: [0.25, 0.014, 260] },
  text: { light: [0.24, 0.02, 260], dark: [0.93, 0.006, 260] },
  'text-soft': { light: [0.5, 0.02, 260], dark: [0.72, 0.014, 260] },
  line: { light: [0.915, 0.006, 260], dark: [0.305, 0.014, 260] },
  'line-strong': { light: [0.65, 0.012, 260], dark: [0.53, 0.014, 260] },
  good: { light: [0.49, 0.12, 150], dark: [0.78, 0.13, 155] },
  'good-soft': { light: [0.96, 0.035, 150], dark: [0.28, 0.05, 155] },
  warn: { light: [0.51, 0.11, 65], dark: [0.8, 0.11, 75] },
  'warn-soft': { light: [0.965, 0.04, 80], dark: [0.29, 0.045, 75] },
  bad: { light: [0.52, 0.18, 25], dark: [0.76, 0.13, 25] },
  'bad-soft': { light: [0.96, 0.02, 25], dark: [0.28, 0.06, 25] },
  'bad-fill': { light: [0.53, 0.19, 25], dark: [0.53, 0.19, 25] }
} as const satisfies Record<string, Record<Scheme, Colour>>

const coloursIn = (scheme: Scheme) =>
  Object.fromEntries(Object.entries(COLOURS).map(([name, shades]) => [name, shades[scheme]])) as Record<
    keyof typeof COLOURS,
    Colour
  >

export const PALETTE = { light: coloursIn('light'), dark: coloursIn('dark') }

export const FONTS = `
  --sans: "Inter Variable", Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
    "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
`

/** What text may stand on, the accent as text too. */
export const SURFACES = ['surface', 'surface-raised', 'surface-sunken'] as const

export const oklchText = ([lightness, chroma, hue]: Colour): string =>
  `oklch(${round(lightness, 4)} ${round(chroma, 4)} ${round(hue, 2)})`

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

export const declarations = (colours: Readonly<Record<string, Colour>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${oklchText(colour)};`)
    .join('')
