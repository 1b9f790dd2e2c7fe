import type { Generated, Selectable } from 'kysely'
import { z } from 'zod'
import { type CreatePartner, PortalOrigin } from '../../schemas/partner.ts'
import { requiredLine } from '../../schemas/primitives.ts'
import { OwnAiBudgets } from '../ai-gateway/variables.ts'
import { now } from '../clock.ts'
import { openPartnerAccount } from '../credits/store.ts'
import { PriceModel } from '../customers/pricing.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import { type Flag, flag, type Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { mintLink } from '../portal-access/links.ts'
import { endSessionsOfPartner } from '../portal-access/sessions.ts'
import { numberedSlug, slugOf } from './slug.ts'
import { insertPartnerUser } from './users.ts'

/** What a partner overrides of the price model; the rest stays as it comes. */
export const PriceModelOverride = PriceModel.partial()

export const Partner = z.object({
  partnerId: z.string(),
  slug: z.string(),
  name: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  hasAiMemory: z.boolean(),
  /** Entitled models, the primary one first. */
  models: z.array(z.string()),
  priceModel: PriceModelOverride.nullable(),
  aiBudgets: OwnAiBudgets.nullable(),
  /** Where its portal stands on a host of its own: `https://portal.acme.example`. */
  portalOrigin: z.string().nullable(),
  createdAt: z.string()
})
export type Partner = z.output<typeof Partner>

/** What CREDITS_INITIAL is unless it is set. */
const DEFAULT_INITIAL_MICROS = 1_000_000_000

/** `null` takes the host away, and returns to the price model as it comes and to the operator's budgets. */
export const PartnerChanges = z
  .strictObject({
    isActive: z.boolean(),
    hasAiMemory: z.boolean(),
    models: z.array(requiredLine(200)).max(100),
    priceModel: PriceModelOverride.nullable(),
    aiBudgets: OwnAiBudgets.nullable(),
    portalOrigin: PortalOrigin.nullable()
  })
  .partial()

/** So many partners of one name are more than a reseller's platform ever has. */
const MAX_SAME_SLUG = 10_000

/**
 * Creates a partner with its credits and the owner who signs in to its console. The token of that user's set-password
 * link is returned this once.
 *
 * @throws ServiceError `invalid_input` when the slug is taken, `email_exists` when a partner's user has the e-mail
 */
export async function insertPartner(
  tx: WriteHandle,
  { name, email, slug }: z.output<typeof CreatePartner>,
  initialCreditMicros = DEFAULT_INITIAL_MICROS
) {
  const partnerId = newId('prt')
  const taken = slug
    ? await insertUnder(tx, { partnerId, slug, name, email })
    : await insertUnderFreeSlug(tx, { partnerId, name, email })
  if (!taken) {
    const message = `The slug ${slug ?? slugOf(name)} is taken. Choose another one.`
    throw new ServiceError('invalid_input', message, { field: 'slug' })
  }
  await openPartnerAccount(tx, partnerId, initialCreditMicros)
  const { id: partnerUserId } = await insertPartnerUser(tx, partnerId, { name: '', email, role: 'owner' })
  const setPasswordToken = await mintLink(tx, partnerId, 'console_password', { partnerUserId })
  return { partnerId, slug: taken, setPasswordToken }
}

type NewPartner = Pick<Partner, 'partnerId' | 'slug' | 'name' | 'email'>

/** The slug if it was free. A conflict must not be an error: on PostgreSQL that would end the transaction. */
async function insertUnder(tx: WriteHandle, { partnerId, slug, name, email }: NewPartner) {
  const createdAt = now()
  const inserted = await tx
    .insertInto('partner')
    .values({
      id: partnerId,
      slug,
      name,
      email,
      isActive: 1,
      hasAiMemory: 1,
      models: '[]',
      brand: '{}',
      createdAt,
      updatedAt: createdAt
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows ? slug : undefined
}

async function insertUnderFreeSlug(tx: WriteHandle, partner: Omit<NewPartner, 'slug'>) {
  const base = slugOf(partner.name)
  for (let n = 1; n <= MAX_SAME_SLUG; n += 1) {
    const taken = await insertUnder(tx, { ...partner, slug: numberedSlug(base, n) })
    if (taken) return taken
  }
  return undefined
}

export async function findPartner(db: ReadHandle, idOrSlug: string) {
  const row = await db
    .selectFrom('partner')
    // Ids have an underscore and slugs don't, so no text is both.
    .where((eb) => eb.or([eb('id', '=', idOrSlug), eb('slug', '=', idOrSlug)]))
    .selectAll()
    .executeTakeFirst()
  return row && toPartner(row)
}

export async function listPartners(db: ReadHandle) {
  const newest = db.selectFrom('partner').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc')
  return (await newest.execute()).map(toPartner)
}

/**
 * Changes what is given and leaves the rest. Nobody stays signed in at a partner that is switched off.
 *
 * @throws ServiceError `partner_not_found`, `invalid_input` when another partner's portal stands on that host
 */
export async function updatePartner(
  tx: WriteHandle,
  partnerId: string,
  { isActive, hasAiMemory, models, priceModel, aiBudgets, portalOrigin }: z.output<typeof PartnerChanges>
) {
  if (portalOrigin) await requireFreeHost(tx, partnerId, portalOrigin)
  const row = await changeWhere(tx, 'partner', { id: partnerId })
    .set({
      portalOrigin,
      isActive: flag(isActive),
      hasAiMemory: flag(hasAiMemory),
      models: models && JSON.stringify(models),
      priceModel: priceModel && JSON.stringify(priceModel),
      aiBudgets: aiBudgets && JSON.stringify(aiBudgets),
      updatedAt: now()
    })
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new ServiceError('partner_not_found')
  if (isActive === false) await endSessionsOfPartner(tx, partnerId)
  return toPartner(row)
}

/** Requests tell the host and not always the scheme, so a host is one partner's under both. */
async function requireFreeHost(tx: WriteHandle, partnerId: string, portalOrigin: string): Promise<void> {
  const { host } = new URL(portalOrigin)
  const other = await tx
    .selectFrom('partner')
    .where('portalOrigin', 'in', [`https://${host}`, `http://${host}`])
    .where('id', '!=', partnerId)
    .select('slug')
    .executeTakeFirst()
  if (!other) return
  const message = `The portal of ${other.slug} stands on ${host}. Choose another host.`
  throw new ServiceError('invalid_input', message, { field: 'portalOrigin' })
}

const toPartner = (row: Selectable<Tables['partner']>): Partner => ({
  partnerId: row.id,
  slug: row.slug,
  name: row.name,
  email: row.email,
  isActive: row.isActive === 1,
  hasAiMemory: row.hasAiMemory === 1,
  models: z.array(z.string()).parse(JSON.parse(row.models)),
  priceModel: row.priceModel === null ? null : PriceModelOverride.parse(JSON.parse(row.priceModel)),
  aiBudgets: row.aiBudgets === null ? null : OwnAiBudgets.parse(JSON.parse(row.aiBudgets)),
  portalOrigin: row.portalOrigin,
  createdAt: row.createdAt
})

declare module '../database/tables.ts' {
  interface Tables {
    partner: {
      id: string
      slug: string
      name: string
      email: string
      isActive: Flag
      hasAiMemory: Flag
      /** JSON array: entitled models, the primary one first. */
      models: string
      /** JSON object, see schemas/partner.ts `Brand`. */
      brand: string
      /** JSON object that overrides parts of the price model, or null. */
      priceModel: string | null
      /** JSON object that overrides some of the token budgets (`OwnAiBudgets`), or null. */
      aiBudgets: string | null
      /** Origin (`https://portal.example.com`) that the operator approved for this partner's links, or null. */
      portalOrigin: string | null
      /** ISO 4217: what its prices and charges are in. */
      currency: Generated<string>
      /** Of the IANA database: where its periods and days begin. */
      timeZone: Generated<string>
      /** Whether its customers see in the portal what calls cost it, and where they were recorded. */
      showsCosts: Generated<Flag>
      showsRecordings: Generated<Flag>
      /** Whether its team must give a second factor, and its customers' people. */
      demandsTeamFactor: Generated<Flag>
      demandsCustomerFactor: Generated<Flag>
      /** The number of its newest statement. */
      statementCount: Generated<number>
      createdAt: string
      updatedAt: string
    }
  }
}
