import type { z } from 'zod'
import type { UpdateBrand } from '../../schemas/partner.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, rowsWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { readBrand } from '../partners/portal-site.ts'

/** Changes what is given; `null` takes a value away. @throws ServiceError `partner_not_found` */
export async function updateBrand(tx: WriteHandle, partnerId: string, changes: z.output<typeof UpdateBrand>) {
  const row = await changeWhere(tx, 'partner', { id: partnerId })
    // The write is a lock, too: two changes at once don't undo each other.
    .set({ updatedAt: now() })
    .returning('brand')
    .executeTakeFirst()
  if (!row) throw new ServiceError('partner_not_found')
  const merged = Object.entries({ ...readBrand(row.brand), ...changes }).filter(
    ([, value]) => value !== null && value !== undefined
  )
  await changeWhere(tx, 'partner', { id: partnerId })
    .set({ brand: JSON.stringify(Object.fromEntries(merged)) })
    .execute()
}

export async function setLogo(
  tx: WriteHandle,
  partnerId: string,
  logo: Pick<Tables['brandLogo'], 'hash' | 'width' | 'height' | 'image'>
): Promise<void> {
  const row = { ...logo, createdAt: now() }
  await tx
    .insertInto('brandLogo')
    .values({ partnerId, ...row })
    .onConflict((conflict) => conflict.column('partnerId').doUpdateSet(row))
    .execute()
}

export async function removeLogo(tx: WriteHandle, partnerId: string): Promise<boolean> {
  const removed = await tx.deleteFrom('brandLogo').where('partnerId', '=', partnerId).executeTakeFirst()
  return removed.numDeletedRows > 0n
}

/** The WebP image of that partner and hash; a logo that was replaced has none any more. */
export async function findLogoImage(db: ReadHandle, partnerId: string, hash: string) {
  const row = await rowsWhere(db, 'brandLogo', { partnerId, hash }).select('image').executeTakeFirst()
  return row && Buffer.from(row.image, 'base64')
}

declare module '../database/tables.ts' {
  interface Tables {
    brandLogo: {
      partnerId: string
      /** SHA-256 of the image, shortened: the address of these very bytes. */
      hash: string
      width: number
      height: number
      /** WebP in base64: the one form of bytes that both databases keep alike. */
      image: string
      createdAt: string
    }
  }
}
