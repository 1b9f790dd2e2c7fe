// Customers as lists have them: filtered, in an order, a page or a slice at a time, and how many there are.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { FindCustomers } from '../../schemas/customer.ts'
import type { Provider } from '../../schemas/voice-agent.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle } from '../database/database.ts'
import { isOwnedBy } from '../database/known.ts'
import { countOf, isByTime, isNewestFirst, orderOf } from '../database/page.ts'
import { type Counted, countedBy, countsOf, isWithin, placeOf, rowCount } from '../database/row-count.ts'
import { type CustomerCounts, LISTED_COLUMNS } from './columns.ts'
import { emailKey } from './email.ts'
import { has, isCommon, isFoundBy, NEEDS } from './search.ts'
import { accessOf, type CustomerExpression, currencyOf, passwordOf, unbilledOf } from './store.ts'

export type Filter = z.output<typeof FindCustomers>

function countedOf(db: ReadHandle, partnerId: string, filter: Filter) {
  const { page, limit, sort, isOnTrial, hasEntered, search, updatedSince, ...conditions } = filter
  const { need, createdFrom, createdTo, emails, ids, ...states } = conditions
  const other = search || updatedSince || need || createdFrom || createdTo || emails || ids
  if (other || isOnTrial === false || hasEntered !== undefined) return undefined
  return countedBy(db, partnerId, 'customer', {
    ...states,
    subscriptionStatus: isOnTrial ? 'trialing' : undefined
  })
}

/**
 * One page of what the filter matches, in its order, newest first unless told, the id breaking ties; and how many match.
 * Where that isn't kept, it comes with each row: to count them by themselves would be to find all once more.
 */
export async function pageOfCustomers(db: ReadHandle, partnerId: string, filter: Filter) {
  const counted = countedOf(db, partnerId, filter)
  if (!counted) {
    const rows = await pageFoundBy(db, partnerId, filter)
    const all = db.selectFrom('customer').where((eb) => matches(eb, db, partnerId, filter))
    return { rows, totalCount: rows[0]?.total ?? (await countOf(all)) }
  }
  const isOfAll = counted.column === undefined && isNewestFirst(filter.sort)
  const rows = await (isOfAll ? newestPage(counted, filter) : pageFoundBy(db, partnerId, filter, counted))
  return { rows, totalCount: await rowCount(counted) }
}

async function newestPage(counted: Counted, { page, limit }: Filter) {
  const { before, skip } = await placeOf(counted, (page - 1) * limit)
  return pageOfAll(counted.db, counted.partnerId, before, limit, skip)
}

async function pageFoundBy(db: ReadHandle, partnerId: string, filter: Filter, counted?: Counted) {
  const { page, limit, sort, search } = filter
  // All that match are counted anyway. To put them in order is little then, and to go by the order until enough were found
  // could mean to read everybody.
  const isInOrder = counted && (counted.column === undefined || isByTime(sort))
  const order = { ...orderOf(db, sort, BY_TEXT, !isInOrder), limit, offset: (page - 1) * limit }
  const isRead = search !== undefined && (await isCommon(db, partnerId, search))
  const condition: Condition = (eb) => matches(eb, db, partnerId, filter, isRead ? 'all' : undefined)
  return pageMatching(db, condition, order, counted ? undefined : sql`count(*) over ()`).execute()
}

/** As the indexes are made (`022-customer-orders.ts`). The searched text begins with the name, without capitals and accents. */
const BY_TEXT = { name: 'substr("searchText", 1, 60)', companyName: `lower(coalesce("companyName", ''))` }

const pageOfAll = compiledOnce(
  (db, partnerId: Slot<string>, before: Slot<string>, limit: Slot<number>, offset: Slot<number>) => {
    const condition: Condition = (eb) =>
      eb.and([eb('partnerId', '=', partnerId), eb('createdAt', '<', before)])
    return pageMatching(db, condition, { by: sql`"createdAt"`, direction: 'desc', limit, offset })
  }
)

const SLICE = 50

/** Those that match among the 50 after the cursor, newest first: however few match, a slice reads no more rows. */
export async function sliceOfCustomers(db: ReadHandle, partnerId: string, filter: Filter, cursor = 'z z') {
  const [time, id] = cursor.split(' ')
  const own = db.selectFrom('customer').where('partnerId', '=', partnerId)
  const slice = own.where(sql<boolean>`("createdAt", "id") < (${time ?? ''}, ${id ?? ''})`).limit(SLICE)
  const newest = slice.select(['id', 'createdAt']).orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const all = await newest.execute()
  const ids = [...all.map((row) => row.id), '']
  const order = { by: sql`"createdAt" || ''`, direction: 'desc', limit: SLICE, offset: 0 } as const
  const rows = await pageMatching(db, (eb) => matches(eb, db, partnerId, filter, ids), order).execute()
  const last = all[SLICE - 1]
  return { rows, nextCursor: last ? `${last.createdAt} ${last.id}` : null }
}

function pageMatching(
  db: ReadHandle,
  condition: Condition,
  { by, direction, limit, offset }: Position,
  total = sql`null`
) {
  const found = db
    .selectFrom('customer')
    .where(condition)
    .select(['id as found', total.$castTo<number | null>().as('total')])
    .orderBy(by, direction)
    .orderBy('id', direction)
  return (
    db
      .selectFrom('customer')
      // Their ids first: PostgreSQL does all that is selected for the rows that are passed over, too.
      .innerJoin(found.limit(limit).offset(offset).as('page'), 'page.found', 'customer.id')
      .select([...LISTED_COLUMNS, 'page.total'])
      // Correlated: each of these is one index look-up for each of the page's rows only.
      .select((eb) => [
        unbilledOf(eb).as('unbilledMicros'),
        currencyOf(eb).as('currency'),
        voiceAgentsOf(eb, 'a').as('voiceAgentsA'),
        voiceAgentsOf(eb, 'b').as('voiceAgentsB'),
        ...accessOf(eb)
      ])
      .orderBy(by, direction)
      .orderBy('id', direction)
      .$narrowType<CustomerCounts>()
  )
}

interface Position {
  by: RawBuilder<unknown>
  direction: 'asc' | 'desc'
  limit: number | Slot<number>
  offset: number | Slot<number>
}

type Condition = (eb: CustomerExpression) => Expression<SqlBool>

const LABELS = ['monthlyCallVolume', 'callComplexity', 'deploymentTimeline'] as const
const STATES = [...LABELS, 'credentialStatus', 'orderStatus'] as const

function matches(
  eb: CustomerExpression,
  db: ReadHandle,
  partnerId: string,
  filter: Filter,
  among?: 'all' | string[]
) {
  const { emails } = filter
  const ids = Array.isArray(among) ? among : filter.ids
  const isPartners = ids || filter.need ? isOwnedBy(partnerId) : eb('partnerId', '=', partnerId)
  return eb.and([
    ...(ids ? [eb('id', 'in', ids)] : []),
    ...(filter.search && among ? [has(db, filter.search)] : []),
    filter.search && !among ? isFoundBy(db, partnerId, filter.search) : isPartners,
    ...(filter.createdFrom || filter.createdTo ? [isWithin(filter)] : []),
    ...(emails ? [eb('emailKey', 'in', [...emails.map(emailKey), ''])] : []),
    ...(filter.need ? [eb('id', 'in', NEEDS[filter.need](db, partnerId))] : []),
    ...STATES.flatMap((column) => {
      const state = filter[column]
      return state === undefined ? [] : [eb(column, '=', state)]
    }),
    ...(filter.isOnTrial === undefined
      ? []
      : [eb('subscriptionStatus', filter.isOnTrial ? '=' : '!=', 'trialing')]),
    ...(filter.hasEntered === undefined
      ? []
      : [filter.hasEntered ? eb.exists(passwordOf(eb)) : eb.not(eb.exists(passwordOf(eb)))]),
    ...(filter.updatedSince ? [eb('updatedAt', '>=', new Date(filter.updatedSince).toISOString())] : [])
  ])
}

const voiceAgentsOf = (eb: CustomerExpression, provider: Provider) =>
  eb
    .selectFrom('voiceAgent')
    .whereRef('voiceAgent.customerId', '=', 'customer.id')
    .where('voiceAgent.provider', '=', provider)
    .select((inner) => inner.fn.countAll<number>().as('count'))

const MAX_LABELS = 100

/** The labels in use: they are free texts, and a filter offers those that would find somebody. */
export async function labelsInUse(db: ReadHandle, partnerId: string) {
  const [monthlyCallVolume, callComplexity, deploymentTimeline] = await Promise.all([
    labelsOf(db, partnerId, 'monthlyCallVolume'),
    labelsOf(db, partnerId, 'callComplexity'),
    labelsOf(db, partnerId, 'deploymentTimeline')
  ])
  return { monthlyCallVolume, callComplexity, deploymentTimeline }
}

async function labelsOf(db: ReadHandle, partnerId: string, column: (typeof LABELS)[number]) {
  const rows = await countsOf(db, partnerId)
    .where('subject', '=', `customer.${column}`)
    .where('value', '!=', '')
    .select('value')
    .orderBy('value')
    .limit(MAX_LABELS)
    .execute()
  return inNaturalOrder(rows.map(({ value }) => value))
}

/** “1000-5000” comes after “500-1000”, on either database. */
const inNaturalOrder = (labels: string[]): string[] =>
  labels.toSorted(new Intl.Collator('en', { numeric: true }).compare)
