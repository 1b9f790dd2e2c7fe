// One stylesheet for every page: what all have in common, and the accent of whose page it is.
import { lazily } from '../../../src/once.ts'
import { accentOf } from './accent.ts'
import { BASE_STYLES, FORM_STYLES } from './base-styles.ts'
import { CONTENT_STYLES } from './content-styles.ts'
import { versionOf } from './packed.ts'
import { declarations, PALETTE } from './palette.ts'

const STYLES = (BASE_STYLES + FORM_STYLES + CONTENT_STYLES)
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,>]) /g, '$1')
  .replaceAll(': ', ':')
  .replaceAll(';}', '}')

const FALLBACK_ACCENT = '#1d4ed8'

/** Of pages that are nobody's. */
export const usualColours = lazily(() => colours(FALLBACK_ACCENT))

/** Another text, another colour or other rules for accents: another address. */
const version = lazily(() => versionOf(STYLES + usualColours() + colours('#facc15')))

/** Where the stylesheet with that accent is. What is no `#rrggbb` gets the usual accent. */
export function stylesheetPath(accentColor: string): string {
  const color = /^#[0-9a-f]{6}$/i.test(accentColor) ? accentColor.toLowerCase() : FALLBACK_ACCENT
  return `/assets/portal-${version()}-${color.slice(1)}.css`
}

export const stylesheet = (accentColor: string): string => colours(accentColor) + STYLES

function colours(accentColor: string): string {
  const light = declarations({ ...PALETTE.light, ...accentOf(accentColor, 'light') })
  const dark = declarations({ ...PALETTE.dark, ...accentOf(accentColor, 'dark') })
  return `:root{${light}}\n@media (prefers-color-scheme:dark){:root{${dark}}}\n`
}
