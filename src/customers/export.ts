// Everything that is kept about a customer, row by row as the tables have it, without what lets anybody in.
import { type RawBuilder, sql } from 'kysely'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { CustomerTable } from './table.ts'

/** Rows that name the customer, or something of it; in the order of `key`, `id` unless told. */
interface OwnTable {
  table: keyof Tables
  by: string
  /** Whose column `by` names; the customer itself unless told. */
  of?: 'instance' | 'mind'
  key?: readonly string[]
}

/** All but what is made of these rows to find them, and to work on them. */
export const OWN_TABLES: readonly OwnTable[] = [
  { table: 'customer', by: 'id' },
  { table: 'subscription', by: 'customerId' },
  { table: 'teamMember', by: 'customerId' },
  { table: 'accessLink', by: 'customerId' },
  { table: 'session', by: 'customerId' },
  { table: 'customerToken', by: 'customerId' },
  { table: 'connectedApp', by: 'customerId' },
  { table: 'voiceAgent', by: 'customerId', key: ['provider', 'agentId'] },
  { table: 'voiceAgentPeriod', by: 'customerId', key: ['provider', 'agentId', 'startsAt'] },
  { table: 'creditAccount', by: 'customerId' },
  { table: 'creditEntry', by: 'accountId', key: ['accountId', 'seq'] },
  { table: 'creditReservation', by: 'customerId' },
  { table: 'call', by: 'customerId' },
  { table: 'callDay', by: 'customerId', key: ['customerId', 'day'] },
  { table: 'billingAccount', by: 'customerId', key: ['customerId'] },
  { table: 'statement', by: 'customerId' },
  { table: 'billingEntry', by: 'customerId', key: ['customerId', 'seq'] },
  { table: 'mail', by: 'customerId' },
  { table: 'instance', by: 'customerId' },
  { table: 'deploy', by: 'instanceId', of: 'instance' },
  { table: 'chatThread', by: 'instanceId', of: 'instance', key: ['instanceId'] },
  { table: 'chatConversation', by: 'instanceId', of: 'instance' },
  { table: 'chatExchange', by: 'instanceId', of: 'instance', key: ['instanceId', 'seq'] },
  { table: 'aiKey', by: 'instanceId', of: 'instance' },
  { table: 'aiUsage', by: 'customerId', key: ['createdAt', 'id'] },
  { table: 'aiSpending', by: 'customerId', key: ['ownerId', 'period'] },
  { table: 'mind', by: 'customerId' },
  { table: 'memory', by: 'mindKey', of: 'mind', key: ['mindKey', 'seq'] },
  { table: 'fact', by: 'mindKey', of: 'mind', key: ['mindKey', 'seq', 'part'] },
  { table: 'modelUsage', by: 'mindKey', of: 'mind', key: ['mindKey', 'day', 'purpose'] },
  { table: 'audit', by: 'customerId' },
  { table: 'webhookDelivery', by: 'customerId', key: ['seq'] }
]

/** Hashes, what is sealed, how a token begins, copies of other columns, and what the partner pays and multiplies. */
const LEFT_OUT = /hash|sealed|prefix|lease|emailKey|searchText|^cost|minutePrice|multiplier/i

/** So many rows at a time: of the longest, some megabytes. */
const PAGE = 50

export interface OwnRow {
  kind: string
  row: Record<string, unknown>
}

export async function* rowsAbout(db: ReadHandle, customer: CustomerTable): AsyncGenerator<OwnRow> {
  const ids = {
    instance: sql`select "id" from "instance" where "customerId" = ${customer.id}`,
    mind: sql`select "key" from "mind" where "customerId" = ${customer.id}`
  }
  for (const { table, by, of, key } of OWN_TABLES)
    yield* rowsOf(db, table, sql`${sql.ref(by)} in (${of ? ids[of] : customer.id})`, key)
  const members = sql`select "identityId" from "teamMember" where "customerId" = ${customer.id}`
  const { ownerIdentityId } = customer
  yield* rowsOf(db, 'identity', sql`"id" = ${ownerIdentityId} or "id" in (${members})`)
}

/** Page by page, by its key: a long table is never in memory as a whole. */
async function* rowsOf(
  db: ReadHandle,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
  key: readonly string[] = ['id']
): AsyncGenerator<OwnRow> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  let after = sql`true`
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where (${condition}) and ${after}
      order by ${keys} limit ${sql.lit(PAGE)}`.execute(db)
    for (const row of rows) {
      const shown = Object.entries(row).filter(([column]) => !LEFT_OUT.test(column))
      yield { kind: table, row: Object.fromEntries(shown) }
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = sql`(${keys}) > (${sql.join(key.map((column) => last[column]))})`
  }
}
