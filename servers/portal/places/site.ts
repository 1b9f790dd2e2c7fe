// Whose portal a request is for, and how it looks.
import { brandingOf } from '../../../src/mail/templates/branding.ts'
import { type PortalPartner, partnerOfHost, partnerOfSlug } from '../../../src/partners/portal-site.ts'
import type { Service } from '../../../src/service.ts'
import type { Site } from '../env.ts'
import { logoUrl } from '../logos.ts'
import type { Look } from '../look.ts'

/** The portal of the partner with that slug, on our own host. */
export async function siteOfSlug({ database }: Service, slug: string): Promise<Site | undefined> {
  const partner = await partnerOfSlug(database.read, slug)
  return partner && siteAt(partner, `/portal/${partner.slug}`)
}

/** A portal on a host of its partner's own, and the origin that was approved for it. */
export interface HostedSite {
  site: Site
  origin: string
}

/** The portal that the whole of that host is. Our own host is never a partner's. */
export async function siteOfHost(
  { database, config }: Service,
  host: string
): Promise<HostedSite | undefined> {
  if (config.publicUrl !== undefined && new URL(config.publicUrl).host === host) return undefined
  const partner = await partnerOfHost(database.read, host)
  if (!partner?.portalOrigin) return undefined
  return { site: siteAt(partner, ''), origin: partner.portalOrigin }
}

const siteAt = (partner: PortalPartner, base: string): Site => ({
  partnerId: partner.id,
  slug: partner.slug,
  base,
  look: lookOf(partner)
})

function lookOf(partner: PortalPartner): Look {
  const { name, accentColor, supportEmail, supportUrl } = brandingOf(partner)
  const logo = partner.logo && {
    url: logoUrl(partner.id, partner.logo.hash),
    width: partner.logo.width,
    height: partner.logo.height
  }
  return { name, accentColor, logo, supportEmail, supportUrl }
}
