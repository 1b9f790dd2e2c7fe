import type { Tables } from '../../src/database/tables.ts'
import type { Service } from '../../src/service.ts'

const TABLES: (keyof Tables)[] = [
  'partner',
  'partnerUser',
  'plan',
  'subscription',
  'customer',
  'identity',
  'teamMember',
  'accessLink',
  'voiceAgent',
  'instance',
  'aiKey',
  'deploy',
  'usage',
  'mind',
  'memory',
  'posting',
  'mindStat',
  'mindAuthor',
  'fact',
  'creditAccount',
  'creditEntry',
  'creditReservation',
  'audit',
  'idempotency',
  'setting'
]

/**
 * Every row of every table but the keys' own, which note when they were last used; of tokens all but that, of mails what
 * sending leaves alone.
 */
export async function everyRow(service: Service): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  for (const table of TABLES)
    rows[table] = await service.database.read.selectFrom(table).selectAll().execute()
  rows.mail = await service.database.read
    .selectFrom('mail')
    .select(['id', 'partnerId', 'customerId', 'template', 'recipient', 'params'])
    .execute()
  rows.customerToken = await service.database.read
    .selectFrom('customerToken')
    .select(['id', 'partnerId', 'customerId', 'name', 'hash', 'scopes', 'expiresAt', 'revokedAt'])
    .execute()
  return Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, inOneOrder(list)]))
}

function inOneOrder(rows: readonly unknown[]): unknown[] {
  const byText = rows.map((row) => [JSON.stringify(row), row] as const)
  return byText.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
