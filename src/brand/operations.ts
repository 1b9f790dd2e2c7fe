import { BrandChangeResult, BrandResult, SetBrandLogo, UpdateBrand } from '../../schemas/partner.ts'
import type { ReadHandle } from '../database/database.ts'
import { CHANGES, defineOperation, SETS } from '../operation.ts'
import { getBrandedPartner } from '../partners/portal-site.ts'
import { encodeLogo } from './logo.ts'
import { removeLogo, setLogo, updateBrand } from './store.ts'

/** Returns the name, colour, logo and support address that your customers meet in the portal and in mails. */
export const getBrandOperation = defineOperation({
  name: 'brand_get',
  scope: 'settings:read',
  output: BrandResult,
  errors: ['partner_not_found'],
  async handle({ db }, { partnerId }) {
    return { data: await brandOf(db, partnerId) }
  }
})

/** Changes the fields that are given; null takes one away and what stands without it returns. */
export const updateBrandOperation = defineOperation({
  name: 'brand_update',
  title: 'Change your brand',
  scope: 'settings:write',
  input: UpdateBrand,
  output: BrandChangeResult,
  annotations: SETS,
  errors: ['partner_not_found'],
  async write(tx, ctx, { partnerId }, changes) {
    await updateBrand(tx, partnerId, changes)
    await ctx.audit(tx, { targetType: 'brand', targetId: partnerId, fields: Object.keys(changes) })
    return { message: 'The brand was changed.', data: await brandOf(tx, partnerId) }
  }
})

/** Takes a PNG, JPEG or WebP image, makes it fit and keeps it in place of an earlier logo. */
export const setBrandLogo = defineOperation({
  name: 'brand_logo_set',
  title: 'Set your logo',
  scope: 'settings:write',
  input: SetBrandLogo,
  output: BrandChangeResult,
  annotations: SETS,
  async handle(ctx, { partnerId }, { image }) {
    // Before the transaction: no image is decoded while the write lock is held.
    const logo = await encodeLogo(partnerId, Buffer.from(image, 'base64'))
    return ctx.transaction(async (tx) => {
      await setLogo(tx, partnerId, logo)
      await ctx.audit(tx, { targetType: 'brand', targetId: partnerId, fields: ['logo'] })
      return { message: 'The logo was changed.', data: await brandOf(tx, partnerId) }
    })
  }
})

/** Takes the logo away; the portal shows your name instead. */
export const removeBrandLogo = defineOperation({
  name: 'brand_logo_remove',
  title: 'Remove your logo',
  scope: 'settings:write',
  output: BrandChangeResult,
  annotations: CHANGES,
  errors: ['partner_not_found'],
  async write(tx, ctx, { partnerId }) {
    const wasThere = await removeLogo(tx, partnerId)
    if (wasThere) await ctx.audit(tx, { targetType: 'brand', targetId: partnerId, fields: ['logo'] })
    const message = wasThere ? 'The logo was removed.' : 'There was no logo to remove.'
    return { message, data: await brandOf(tx, partnerId) }
  }
})

async function brandOf(db: ReadHandle, partnerId: string) {
  const { name: partnerName, slug, brand, logo } = await getBrandedPartner(db, partnerId)
  return {
    partnerName,
    slug,
    name: brand.name ?? null,
    accentColor: brand.accentColor ?? null,
    supportEmail: brand.supportEmail ?? null,
    supportUrl: brand.supportUrl ?? null,
    language: brand.language ?? null,
    logo: logo ?? null
  }
}

export const brandOperations = [getBrandOperation, updateBrandOperation, setBrandLogo, removeBrandLogo]
