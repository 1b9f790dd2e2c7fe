import type { Brand } from '../../../schemas/partner.ts'

export interface Branding {
  name: string
  accentColor: string
  accentText: '#000000' | '#ffffff'
  supportEmail: string | undefined
  supportUrl: string | undefined
}

const DEFAULT_ACCENT = '#1d4ed8'

/** Mindgate's own, for mails that lead to the console. */
export const CONSOLE_BRANDING: Branding = {
  name: 'Mindgate',
  accentColor: DEFAULT_ACCENT,
  accentText: '#ffffff',
  supportEmail: undefined,
  supportUrl: undefined
}

export function brandingOf({ name, brand }: { name: string; brand: Brand }): Branding {
  const accentColor = brand.accentColor ?? DEFAULT_ACCENT
  return {
    name: brand.name ?? name,
    accentColor,
    accentText: readableOn(accentColor),
    supportEmail: brand.supportEmail,
    supportUrl: brand.supportUrl !== undefined && isWebLink(brand.supportUrl) ? brand.supportUrl : undefined
  }
}

/** Black or white, whichever stands out more from `color` (`#rrggbb`): on any colour the better one has 4.5:1 (WCAG 2). */
export function readableOn(color: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(color)
  const contrastOfBlack = (luminance + 0.05) / 0.05
  const contrastOfWhite = 1.05 / (luminance + 0.05)
  return contrastOfBlack > contrastOfWhite ? '#000000' : '#ffffff'
}

function luminanceOf(color: string): number {
  const linear = (start: number) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5)
}

function isWebLink(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
