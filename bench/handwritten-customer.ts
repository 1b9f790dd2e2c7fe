// One customer, written by hand: the key looked up and compared, the row read, our answer made of it, one log line.
import type { Hono } from 'hono'
import { z } from 'zod'
import type { Prepare } from './baseline-database.ts'
import { bearerOf, KeyRow, matching, type Recorder } from './handwritten-key.ts'

const Row = z.record(z.string(), z.unknown())
type Row = z.output<typeof Row>
const Breakdown = z.object({ items: z.array(z.object({ item: z.string(), amount: z.number() })) })

/** Adds `GET /handwritten/customers/:id`. */
export function addCustomer(app: Hono, prepare: Prepare, record: Recorder): void {
  const keyByPrefix = prepare(
    `select k.id, k."partnerId", k.hash, k.scopes, k."expiresAt", k."revokedAt", k."lastUsedAt", p."isActive"
     from "apiKey" k left join partner p on p.id = k."partnerId" where k.prefix = ?`
  )
  const customer = prepare(
    `select c.*, p.currency, coalesce(b."balanceMicros", 0) as "unbilledMicros",
     case when i."passwordHash" is not null then 1 end as "passwordsOfOwner", i."lastSeenAt" as "ownerSeenAt",
     i."temporaryPasswordExpiresAt" as "inviteExpiresAt"
     from customer c join partner p on p.id = c."partnerId" left join "billingAccount" b on b."customerId" = c.id
     left join identity i on i.id = c."ownerIdentityId" where c."partnerId" = ? and c.id = ?`
  )
  app.get('/handwritten/customers/:id', async (c) => {
    const sent = bearerOf(c.req.header('authorization'))
    const key = matching(KeyRow.parse((await keyByPrefix(sent.slice(0, 12)))[0]), sent)
    const data = recordOf(Row.parse((await customer(key.partnerId, c.req.param('id')))[0]))
    const answer = c.json({ success: true, data })
    record({ route: c.req.path, operation: 'customer_get', channel: 'rest', method: 'GET' }, key)
    return answer
  })
}

const flag = (value: unknown) => (value === null ? null : value === 1)
const amount = (value: unknown) => (value === null ? null : Number(value) / 1e6)
const list = (value: unknown): unknown => (value === null ? null : JSON.parse(String(value)))

const recordOf = (row: Row) => ({
  id: row.id,
  customerId: row.code,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  businessPhone: row.businessPhone,
  companyName: row.companyName,
  portalLanguage: row.portalLanguage,
  monthlyCallVolume: row.monthlyCallVolume,
  peakHours: row.peakHours,
  callComplexity: row.callComplexity,
  scriptComplexity: row.scriptComplexity,
  primaryUseCase: row.primaryUseCase,
  customAutomation: row.customAutomation,
  crmSystem: row.crmSystem,
  phoneSystem: row.phoneSystem,
  languages: list(row.languages),
  deploymentTimeline: row.deploymentTimeline,
  wantsDemo: flag(row.wantsDemo),
  isOnboardingCompleted: flag(row.isOnboardingCompleted),
  estimatedPrice: amount(row.estimatedPriceMicros),
  priceLines: priceLinesOf(row),
  unbilledAmount: amount(row.unbilledMicros),
  currency: row.currency,
  orderStatus: row.orderStatus,
  dealStatus: row.dealStatus,
  billingType: row.billingType,
  agreedPrice: amount(row.agreedPriceMicros),
  planId: row.planId,
  enableAdvancedAnalytics: flag(row.enableAdvancedAnalytics),
  enableApiAccess: flag(row.enableApiAccess),
  customerPortalEnabled: flag(row.customerPortalEnabled),
  showKnowledgeBase: flag(row.showKnowledgeBase),
  showIntegration: flag(row.showIntegration),
  allowedApps: list(row.allowedApps),
  maxTeamMembers: row.maxTeamMembers,
  enableTeamMembers: flag(row.enableTeamMembers),
  aiCreditsEnabled: flag(row.aiCreditsEnabled),
  aiCreditPricePerMinute: amount(row.aiCreditPricePerMinuteMicros),
  lowCreditThreshold: amount(row.lowCreditThresholdMicros),
  lowCreditNotificationsEnabled: flag(row.lowCreditNotificationsEnabled),
  enableAiMemory: flag(row.enableAiMemory),
  creditPlanIds: list(row.creditPlanIds),
  deploymentStatus: row.deploymentStatus,
  deploymentNotes: row.deploymentNotes,
  deploymentCompletedAt: row.deploymentCompletedAt,
  credentialStatus: row.credentialStatus,
  portalAccess: accessOf(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

function priceLinesOf({ priceBreakdown, agreedPriceMicros, estimatedPriceMicros }: Row) {
  const { items } = Breakdown.parse(JSON.parse(String(priceBreakdown)))
  const difference = Number(agreedPriceMicros ?? estimatedPriceMicros) - Number(estimatedPriceMicros)
  return difference === 0 ? items : [...items, { item: 'As agreed', amount: difference / 1e6 }]
}

function accessOf({
  credentialStatus,
  customerPortalEnabled,
  passwordsOfOwner,
  ownerSeenAt,
  inviteExpiresAt
}: Row) {
  if (credentialStatus === 'none') return { state: 'none', at: null }
  if (credentialStatus === 'suspended') return { state: 'blocked', at: null }
  if (customerPortalEnabled === 0) return { state: 'off', at: null }
  if (passwordsOfOwner === 1) return { state: 'active', at: ownerSeenAt }
  const isValid = String(inviteExpiresAt ?? '') > new Date().toISOString()
  return { state: isValid ? 'invited' : 'lapsed', at: inviteExpiresAt }
}
