// Whose portal an address is: by the partner's slug, or by the host that the operator approved for it.
import { Brand } from '../../schemas/partner.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export interface PortalPartner {
  id: string
  slug: string
  name: string
  brand: Brand
  portalOrigin: string | null
  /** An image that is served by its hash. */
  logo: Pick<Tables['brandLogo'], 'hash' | 'width' | 'height'> | undefined
}

export async function partnerOfSlug(db: ReadHandle, slug: string): Promise<PortalPartner | undefined> {
  const row = await activePartners(db).where('partner.slug', '=', slug).executeTakeFirst()
  return row && readBrand(row)
}

/** The active partner whose portal stands at that host (`portal.acme.example`, with its port unless the usual one). */
export async function partnerOfHost(db: ReadHandle, host: string): Promise<PortalPartner | undefined> {
  if (host === '') return undefined
  const row = await activePartners(db)
    .where('partner.portalOrigin', 'in', [`https://${host}`, `http://${host}`])
    .executeTakeFirst()
  return row && readBrand(row)
}

const activePartners = (db: ReadHandle) =>
  db
    .selectFrom('partner')
    .leftJoin('brandLogo', 'brandLogo.partnerId', 'partner.id')
    .where('partner.isActive', '=', 1)
    .select(['partner.id', 'partner.slug', 'partner.name', 'partner.brand', 'partner.portalOrigin'])
    .select(['brandLogo.hash', 'brandLogo.width', 'brandLogo.height'])

type Row = Awaited<ReturnType<ReturnType<typeof activePartners>['executeTakeFirstOrThrow']>>

/** A brand that can't be read must not keep anybody from signing in. */
const readBrand = ({ brand, hash, width, height, ...partner }: Row): PortalPartner => ({
  ...partner,
  brand: Brand.safeParse(JSON.parse(brand)).data ?? {},
  logo: hash === null || width === null || height === null ? undefined : { hash, width, height }
})
