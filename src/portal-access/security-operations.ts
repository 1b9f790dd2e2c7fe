// What a partner demands of people who sign in, and taking factors away from who has lost them. At the console alone.
import { CustomerPath } from '../../schemas/customer.ts'
import { RecordId } from '../../schemas/primitives.ts'
import { Security, SecurityResult } from '../../schemas/security.ts'
import { fromNow } from '../clock.ts'
import { lockCustomer } from '../customers/store.ts'
import type { WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import { flag } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { CHANGES, defineOperation, SETS } from '../operation.ts'
import { findTeamMember } from '../team/store.ts'
import { resetFactors } from './factors.ts'
import { isFactorDemanded, PENDING_MS } from './sessions.ts'

export const getSecurity = defineOperation({
  name: 'security_get',
  scope: 'settings:read',
  output: SecurityResult,
  handle: async ({ db }, { partnerId }) => ({
    data: {
      demandsTeamFactor: await isFactorDemanded(db, partnerId, { partnerUserId: '' }),
      demandsCustomerFactor: await isFactorDemanded(db, partnerId, { identityId: '' })
    }
  })
})

/** Demands second factors, or no longer. Whoever is signed in without one has to set one up next. */
export const updateSecurity = defineOperation({
  name: 'security_update',
  title: 'Set how people sign in',
  scope: 'settings:write',
  input: Security,
  annotations: SETS,
  async write(tx, ctx, { partnerId }, changes) {
    const { demandsTeamFactor, demandsCustomerFactor } = changes
    await changeWhere(tx, 'partner', { id: partnerId })
      .set({ demandsTeamFactor: flag(demandsTeamFactor), demandsCustomerFactor: flag(demandsCustomerFactor) })
      .execute()
    if (demandsTeamFactor) await holdSessions(tx, partnerId, 'console')
    if (demandsCustomerFactor) await holdSessions(tx, partnerId, 'portal')
    await ctx.audit(tx, { targetType: 'partner', targetId: partnerId, fields: Object.keys(changes) })
    return { message: 'The settings are saved.' }
  }
})

/** Those without a factor may do nothing else than set one up. */
const holdSessions = (tx: WriteHandle, partnerId: string, site: 'portal' | 'console') =>
  changeWhere(tx, 'session', { partnerId, site, pending: null })
    .set({ pending: 'set-up', idleExpiresAt: fromNow(PENDING_MS), expiresAt: fromNow(PENDING_MS) })
    // Whoever looks at a portal from the console is held there.
    .where(site === 'portal' ? 'identityId' : 'partnerUserId', 'is not', null)
    .where(({ not, exists, selectFrom }) => {
      const person = site === 'portal' ? 'identityId' : 'partnerUserId'
      return not(
        exists(selectFrom('factor').whereRef(`factor.${person}`, '=', `session.${person}`).select('id'))
      )
    })
    .execute()

/** Of a customer's owner, or of one of its team. */
export const resetCustomerFactors = defineOperation({
  name: 'customer_reset_factors',
  title: 'Turn off somebody’s two-step sign-in in a portal',
  scope: 'customers:write',
  input: CustomerPath.extend({ teamMemberId: RecordId.optional() }),
  annotations: CHANGES,
  async write(tx, ctx, { partnerId }, { customerId, teamMemberId }) {
    const customer = await lockCustomer(tx, partnerId, customerId)
    const member = teamMemberId && (await findTeamMember(tx, partnerId, customer.id, teamMemberId))
    if (teamMemberId && !member) throw new ServiceError('team_member_not_found')
    const { identityId, email } = member || { ...customer, identityId: customer.ownerIdentityId }
    if (identityId !== null) await resetFactors(tx, partnerId, { identityId })
    const targetType = member ? 'team_member' : 'customer'
    await ctx.audit(tx, { targetType, targetId: teamMemberId ?? customer.id })
    return { message: `${email} signs in with the password alone, and was signed out everywhere.` }
  }
})

export const securityOperations = [getSecurity, updateSecurity, resetCustomerFactors]
