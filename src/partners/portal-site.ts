// Partners as their customers meet them, and whose portal an address is: by the slug, or by the host that the operator
// approved for it.
import { Brand } from '../../schemas/partner.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

/** A partner under its brand. */
export interface BrandedPartner {
  id: string
  slug: string
  name: string
  isActive: boolean
  brand: Brand
  portalOrigin: string | null
  /** An image that is served by its hash. */
  logo: Pick<Tables['brandLogo'], 'hash' | 'width' | 'height'> | undefined
}

export async function partnerOfSlug(db: ReadHandle, slug: string): Promise<BrandedPartner | undefined> {
  const row = await activePartners(db).where('partner.slug', '=', slug).executeTakeFirst()
  return row && underBrand(row)
}

/** The slug of the only active partner; nothing where there are several. */
export async function soleSlug(db: ReadHandle): Promise<string | undefined> {
  const rows = await db.selectFrom('partner').where('isActive', '=', 1).select('slug').limit(2).execute()
  return rows.length === 1 ? rows[0]?.slug : undefined
}

/** The active partner whose portal stands at that host (`portal.acme.example`, with its port unless the usual one). */
export async function partnerOfHost(db: ReadHandle, host: string): Promise<BrandedPartner | undefined> {
  if (host === '') return undefined
  const row = await activePartners(db)
    .where('partner.portalOrigin', 'in', [`https://${host}`, `http://${host}`])
    .executeTakeFirst()
  return row && underBrand(row)
}

/** @throws ServiceError `partner_not_found` */
export async function getBrandedPartner(db: ReadHandle, partnerId: string): Promise<BrandedPartner> {
  const row = await partners(db).where('partner.id', '=', partnerId).executeTakeFirst()
  if (!row) throw new ServiceError('partner_not_found')
  return underBrand(row)
}

const activePartners = (db: ReadHandle) => partners(db).where('partner.isActive', '=', 1)

const partners = (db: ReadHandle) =>
  db
    .selectFrom('partner')
    .leftJoin('brandLogo', 'brandLogo.partnerId', 'partner.id')
    .select(['partner.id', 'partner.slug', 'partner.name', 'partner.isActive', 'partner.brand'])
    .select(['partner.portalOrigin', 'brandLogo.hash', 'brandLogo.width', 'brandLogo.height'])

type Row = Awaited<ReturnType<ReturnType<typeof activePartners>['executeTakeFirstOrThrow']>>

const underBrand = ({ isActive, brand, hash, width, height, ...partner }: Row): BrandedPartner => ({
  ...partner,
  isActive: isActive === 1,
  brand: readBrand(brand),
  logo: hash === null || width === null || height === null ? undefined : { hash, width, height }
})

/** A brand that can't be read is none: it must not keep anybody from a page. */
export const readBrand = (json: string): Brand => Brand.safeParse(JSON.parse(json)).data ?? {}
