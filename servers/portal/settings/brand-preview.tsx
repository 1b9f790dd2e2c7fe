// How the portal's sign-in looks with a brand, drawn before anybody sees it: in light and in dark.
import { formatHex, parse, wcagContrast } from 'culori'
import type { FC } from 'hono/jsx'
import { accentOf } from '../assets/accent.ts'
import { type Colour, oklchText, PALETTE, type Scheme } from '../assets/palette.ts'
import type { Look } from '../look.ts'
import { Card, Grid } from '../ui/layout.tsx'
export const BrandPreview: FC<{ look: Look }> = ({ look }) => (
  <Card title="Preview" description="How your customers’ sign-in looks with this brand.">
    <Grid>
      <SignIn look={look} scheme="light" />
      <SignIn look={look} scheme="dark" />
    </Grid>
    <p>{contrastNote(look.accentColor)}</p>
  </Card>
)

const WIDTH = 320
const HEIGHT = 260
const LOGO_HEIGHT = 32

const SignIn: FC<{ look: Look; scheme: Scheme }> = ({ look, scheme }) => {
  const palette = PALETTE[scheme]
  const accent = accentOf(look.accentColor, scheme)
  const field = (y: number, label: string) => (
    <>
      <text x="48" y={y} font-size="11" fill={hexOf(palette.text)}>
        {label}
      </text>
      <rect
        x="48.5"
        y={y + 6.5}
        width="223"
        height="25"
        rx="6"
        fill={hexOf(palette['surface-raised'])}
        stroke={hexOf(palette['line-strong'])}
      />
    </>
  )
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="100%"
      role="img"
      aria-label={`Sign-in of ${look.name} in ${scheme} colours`}
    >
      <rect width={WIDTH} height={HEIGHT} rx="8" fill={hexOf(palette.surface)} />
      <Mark
        look={look}
        ink={hexOf(palette.text)}
        fill={hexOf(accent.accent)}
        text={hexOf(accent['accent-text'])}
      />
      <rect
        x="32.5"
        y="64.5"
        width="255"
        height="179"
        rx="8"
        fill={hexOf(palette['surface-raised'])}
        stroke={hexOf(palette.line)}
      />
      {field(90, 'E-mail')}
      {field(144, 'Password')}
      <rect x="48" y="192" width="72" height="28" rx="6" fill={hexOf(accent.accent)} />
      <text
        x="84"
        y="210"
        font-size="12"
        font-weight="600"
        text-anchor="middle"
        fill={hexOf(accent['accent-text'])}
      >
        Sign in
      </text>
      <text x="272" y="210" font-size="11" text-anchor="end" fill={hexOf(accent['accent-ink'])}>
        Forgot password?
      </text>
    </svg>
  )
}

const Mark: FC<{ look: Look; ink: string; fill: string; text: string }> = ({ look, ink, fill, text }) => {
  const { logo, name } = look
  const isWide = logo !== undefined && logo.width >= logo.height * 2
  const logoWidth = logo === undefined ? LOGO_HEIGHT : Math.round((logo.width / logo.height) * LOGO_HEIGHT)
  return (
    <>
      {logo === undefined ? (
        <>
          <rect x="32" y="18" width="32" height="32" rx="8" fill={fill} />
          <text x="48" y="39" font-size="15" font-weight="600" text-anchor="middle" fill={text}>
            {[...name.trim()][0]?.toUpperCase()}
          </text>
        </>
      ) : (
        <image href={logo.url} x="32" y="18" width={logoWidth} height={LOGO_HEIGHT} />
      )}
      {isWide ? null : (
        <text x={32 + logoWidth + 10} y="39" font-size="14" font-weight="600" fill={ink}>
          {shortened(name)}
        </text>
      )}
    </>
  )
}

const MAX_NAME_CHARS = 26
const shortened = (name: string): string =>
  [...name].length > MAX_NAME_CHARS ? `${[...name].slice(0, MAX_NAME_CHARS - 1).join('')}…` : name

const hexOf = (colour: Colour): string => formatHex(parse(oklchText(colour))) ?? '#000000'

const READABLE = 4.5

/** What is done about a colour that isn't readable by itself. */
function contrastNote(color: string): string {
  const light = wcagContrast(color, hexOf(PALETTE.light['surface-raised']))
  const dark = wcagContrast(color, hexOf(PALETTE.dark['surface-raised']))
  const on = hexOf(accentOf(color, 'light')['accent-text']) === '#000000' ? 'black' : 'white'
  const buttons = `Buttons have ${color} with ${on} on it.`
  const faint = [light < READABLE ? 'light' : '', dark < READABLE ? 'dark' : ''].filter(Boolean)
  if (faint.length === 0) return `${buttons} It is readable as text, too, in light and in dark.`
  return `${buttons} As text it would be hard to read in ${faint.join(' and in ')}, so links there get a ${
    faint.length === 2 ? 'darker or lighter' : faint[0] === 'light' ? 'darker' : 'lighter'
  } shade of it.`
}
