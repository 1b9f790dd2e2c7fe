import { wcagContrast } from 'culori'
import type { Brand } from '../../../schemas/partner.ts'

export interface Branding {
  name: string
  /** `#rrggbb` */
  accentColor: string
  accentText: '#000000' | '#ffffff'
  supportEmail: string | undefined
  /** http or https. */
  supportUrl: string | undefined
}

const DEFAULT_ACCENT = '#1d4ed8'

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

/** Mindgate's own, for mails that lead to the console. */
export const CONSOLE_BRANDING = brandingOf({ name: 'Mindgate', brand: {} })

/** Black or white, whichever stands out more from `color` (`#rrggbb`): on any colour the better one has 4.5:1 (WCAG 2). */
export function readableOn(color: string): '#000000' | '#ffffff' {
  return wcagContrast(color, '#000000') > wcagContrast(color, '#ffffff') ? '#000000' : '#ffffff'
}

function isWebLink(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
