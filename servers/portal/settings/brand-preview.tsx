// How the portal's sign-in looks with a brand, drawn before anybody sees it: in light and in dark.
import { formatHex, parse, wcagContrast } from 'culori'
import type { FC } from 'hono/jsx'
import { accentOf } from '../assets/accent.ts'
import { type Colour, oklchText, PALETTE, type Scheme } from '../assets/palette.ts'
import type { Look } from '../env.ts'
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

const box = (x: number, y: number, width: number, height: number, rx: number) => ({ x, y, width, height, rx })

const SignIn: FC<{ look: Look; scheme: Scheme }> = ({ look, scheme }) => {
  const accents = accentOf(look.accentColor, scheme)
  const palette = (name: keyof (typeof PALETTE)[Scheme]) => hexOf(PALETTE[scheme][name])
  const accent = hexOf(accents.accent)
  const onAccent = hexOf(accents['accent-text'])
  const field = (y: number, label: string) => (
    <>
      <text x="48" y={y} font-size="11" fill={palette('text')}>
        {label}
      </text>
      <rect
        {...box(48.5, y + 6.5, 223, 25, 6)}
        fill={palette('surface-raised')}
        stroke={palette('line-strong')}
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
      <rect width={WIDTH} height={HEIGHT} rx="8" fill={palette('surface')} />
      <Mark look={look} ink={palette('text')} fill={accent} text={onAccent} />
      <rect {...box(32.5, 64.5, 255, 179, 8)} fill={palette('surface-raised')} stroke={palette('line')} />
      {field(90, 'E-mail')}
      {field(144, 'Password')}
      <rect {...box(48, 192, 72, 28, 6)} fill={accent} />
      <text x="84" y="210" font-size="12" font-weight="600" text-anchor="middle" fill={onAccent}>
        Sign in
      </text>
      <text x="272" y="210" font-size="11" text-anchor="end" fill={hexOf(accents['accent-ink'])}>
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
          <rect {...box(32, 18, 32, 32, 8)} fill={fill} />
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
  return `${buttons} As text it would be hard to read in ${faint.join(' and in ')}, so links there get another shade of it.`
}
