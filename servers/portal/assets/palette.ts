// The fonts of every page, and every colour but the accent, as oklch: lightness, chroma, hue. The accent is fitted to these.

export type Scheme = 'light' | 'dark'
export type Colour = readonly [lightness: number, chroma: number, hue: number]

export const PALETTE = {
  light: {
    surface: [0.985, 0.002, 260],
    'surface-raised': [1, 0, 0],
    'surface-sunken': [0.965, 0.004, 260],
    text: [0.24, 0.02, 260],
    'text-soft': [0.5, 0.02, 260],
    line: [0.915, 0.006, 260],
    'line-strong': [0.65, 0.012, 260],
    good: [0.49, 0.12, 150],
    'good-soft': [0.96, 0.035, 150],
    warn: [0.51, 0.11, 65],
    'warn-soft': [0.965, 0.04, 80],
    bad: [0.52, 0.18, 25],
    'bad-soft': [0.96, 0.02, 25],
    'bad-fill': [0.53, 0.19, 25]
  },
  dark: {
    surface: [0.175, 0.01, 260],
    'surface-raised': [0.21, 0.012, 260],
    'surface-sunken': [0.25, 0.014, 260],
    text: [0.93, 0.006, 260],
    'text-soft': [0.72, 0.014, 260],
    line: [0.305, 0.014, 260],
    'line-strong': [0.53, 0.014, 260],
    good: [0.78, 0.13, 155],
    'good-soft': [0.28, 0.05, 155],
    warn: [0.8, 0.11, 75],
    'warn-soft': [0.29, 0.045, 75],
    bad: [0.76, 0.13, 25],
    'bad-soft': [0.28, 0.06, 25],
    'bad-fill': [0.53, 0.19, 25]
  }
} as const satisfies Record<Scheme, Record<string, Colour>>

/** As custom properties. */
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
