// What the operator does with partners. A partner itself has none of this.
import { z } from 'zod'
import { CreatePartner, ErasePartner, PartnerErased } from '../../schemas/partner.ts'
import { DAY_MS } from '../clock.ts'
import { invalidField } from '../invalid-input.ts'
import { ADDS, CHANGES, defineOperation, SETS } from '../operation.ts'
import { erasePartner } from './erase.ts'
import { findPartner, insertPartner, listPartners, Partner, PartnerChanges, updatePartner } from './store.ts'

export const PartnerList = z.object({ data: z.array(Partner) })
export const PartnerResult = z.object({ data: Partner })
export const PartnerCreated = z.object({
  partnerId: z.string(),
  slug: z.string(),
  setPasswordToken: z.string()
})

/** Creates a partner with its credits, and a link by which its first user sets a password. */
export const createPartner = defineOperation({
  name: 'partner_create',
  title: 'Create a partner',
  scope: 'customers:write',
  channels: ['operator'],
  input: CreatePartner,
  output: PartnerCreated,
  annotations: ADDS,
  errors: ['email_exists'],
  async write(tx, ctx, _caller, partner) {
    const created = await insertPartner(tx, partner, ctx.config.initialCreditMicros)
    const { partnerId } = created
    await ctx.audit(tx, { partnerId, targetType: 'partner', targetId: partnerId })
    return created
  }
})

/** Returns every partner, newest first. */
export const listPartnersOperation = defineOperation({
  name: 'partner_list',
  scope: 'customers:read',
  channels: ['operator'],
  output: PartnerList,
  async handle({ db }) {
    return { data: await listPartners(db) }
  }
})

/** Changes what is given of a partner; null returns to the defaults. */
export const updatePartnerOperation = defineOperation({
  name: 'partner_update',
  title: 'Change a partner',
  scope: 'customers:write',
  channels: ['operator'],
  input: PartnerChanges,
  output: PartnerResult,
  annotations: SETS,
  errors: ['partner_not_found'],
  async write(tx, ctx, { partnerId }, changes) {
    const data = await updatePartner(tx, partnerId, changes)
    const fields = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    await ctx.audit(tx, { targetType: 'partner', targetId: partnerId, fields })
    return { data }
  }
})

/** Deletes a partner for good with all of its customers; confirm with its slug. */
export const erasePartnerOperation = defineOperation({
  name: 'partner_erase',
  title: 'Erase a partner',
  scope: 'customers:write',
  channels: ['operator'],
  input: ErasePartner,
  output: PartnerErased,
  annotations: { ...CHANGES, openWorld: true },
  errors: ['partner_not_found', 'provider_unavailable'],
  deadlineMs: DAY_MS,
  async handle(ctx, { partnerId }, { confirm }) {
    const partner = await findPartner(ctx.db, partnerId)
    if (partner && confirm !== partner.slug) throw invalidField('confirm', 'must be the slug of the partner')
    return erasePartner(ctx, partnerId)
  }
})

export const partnerOperations = [
  createPartner,
  listPartnersOperation,
  updatePartnerOperation,
  erasePartnerOperation
]
