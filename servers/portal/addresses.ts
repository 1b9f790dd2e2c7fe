// Whose portal a request is for, how it looks, and how the browser names the place. The scheme is known from the
// configuration or from a proxy that is trusted; the host is the request's own, which nobody but its sender can choose.
import type { Context } from 'hono'
import type { Config } from '../../src/config.ts'
import { brandingOf } from '../../src/mail/templates/branding.ts'
import { type BrandedPartner, partnerOfHost, partnerOfSlug } from '../../src/partners/portal-site.ts'
import type { Service } from '../../src/service.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { logoUrl } from './assets-routes.ts'
import type { Look, PartnerPortal } from './env.ts'

export async function portalOfSlug({ database }: Service, slug: string): Promise<PartnerPortal | undefined> {
  const partner = await partnerOfSlug(database.read, slug)
  return partner && portalAt(partner, `/portal/${partner.slug}`)
}

/** The portal that the whole of that host is, and the origin that was approved for it. Our own host is never a partner's. */
export async function portalOfHost({ database, config }: Service, host: string) {
  if (config.publicUrl !== undefined && new URL(config.publicUrl).host === host) return undefined
  const partner = await partnerOfHost(database.read, host)
  if (!partner?.portalOrigin) return undefined
  return { portal: portalAt(partner, ''), approvedOrigin: partner.portalOrigin }
}

function portalAt(partner: BrandedPartner, base: string): PartnerPortal {
  const { id: partnerId, slug, logo, brand } = partner
  return { partnerId, slug, base, look: lookOf(partnerId, partner, logo), language: brand.language }
}

export const lookOf = (
  partnerId: string,
  partner: Parameters<typeof brandingOf>[0],
  logo: { hash: string; width: number; height: number } | null | undefined
): Look => ({
  ...brandingOf(partner),
  logo: logo ? { url: logoUrl(partnerId, logo.hash), width: logo.width, height: logo.height } : undefined
})

/** The host that the request is for, as a URL writes it: lower case, without a default port. */
export function requestHost(c: Context<RequestEnv>): string {
  const host = c.req.header('host') ?? ''
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : ''
}

/** The origin of this request's place; `approved` is the partner's own, when the request is for it. */
export function originOf(
  c: Context<RequestEnv>,
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  approved: string | undefined
): string {
  const known = approved ?? publicUrl
  const isHttps = known?.startsWith('https:') || forwardedScheme(c, trustedProxies) === 'https'
  return new URL(`${isHttps ? 'https' : 'http'}://${requestHost(c) || 'localhost'}`).origin
}

/** What the outermost trusted proxy was asked by; without one the header is anybody's. */
function forwardedScheme(c: Context<RequestEnv>, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const hops = c.req.header('x-forwarded-proto')?.split(',') ?? []
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim().toLowerCase()
}

/**
 * Where somebody is sent by an address that came with a request: to a page below the base, or home. It is read as a browser
 * would, which drops tabs and line ends, takes `\` for `/` and folds dots: `/.//evil.example` ends as another host.
 */
export function nextPage(base: string, wanted = ''): string {
  const home = base || '/'
  const here = 'http://here.invalid'
  if (!/^\/[^/\\]/.test(wanted) || !URL.canParse(base + wanted, here)) return home
  const { origin, pathname, search } = new URL(base + wanted, here)
  const isOurs = origin === here && pathname.startsWith(`${base}/`) && !pathname.startsWith('//')
  return isOurs ? pathname + search : home
}
