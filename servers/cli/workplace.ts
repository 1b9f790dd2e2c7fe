// What a command works with. It opens the database itself, and so works with and without a running service.
import { type Config, loadConfig } from '../../src/config.ts'
import { getCustomer, partnerIdOfCustomer } from '../../src/customers/store.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { ServiceError } from '../../src/errors.ts'
import { findPartner, type Partner } from '../../src/partners/store.ts'
import { CommandError } from './failure.ts'
import type { Terminal } from './output.ts'

export interface Workplace {
  config: Config
  database: Database
}

/** Opens what the environment points at for one command, and closes it whatever comes. */
export async function withDatabase(
  { env }: Terminal,
  work: (place: Workplace) => Promise<void>
): Promise<void> {
  const config = loadConfig(env)
  const database = await openDatabase({
    location: config.databaseLocation,
    maxConnections: 2,
    busyDeadlineMs: config.busyDeadlineMs,
    // The next query meets the lost connection and says so.
    onIdleError: () => undefined
  })
  try {
    await work({ config, database })
  } finally {
    await database.close()
  }
}

/** @throws CommandError when no partner has that id or slug */
export async function partnerNamed(database: Database, idOrSlug: string): Promise<Partner> {
  const partner = await findPartner(database.read, idOrSlug)
  if (partner) return partner
  throw new CommandError(
    `No partner has the id or slug ${idOrSlug}. \`mindgate partner list\` shows them; DATA_DIR and DATABASE_URL say where it looks.`
  )
}

/**
 * The customer with that record id, or with that short code, which is unique within its partner only.
 *
 * @throws CommandError when there is none
 */
export async function customerNamed(
  database: Database,
  reference: string,
  partner?: string
): Promise<CustomerTable> {
  const partnerId = partner
    ? (await partnerNamed(database, partner)).partnerId
    : await partnerIdOfCustomer(database.read, reference)
  try {
    if (partnerId) return await getCustomer(database.read, partnerId, reference)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'customer_not_found')) throw error
  }
  throw new CommandError(
    `No customer${partner ? ` of ${partner}` : ''} has the id ${reference}. Give the record id (cus_…), or the short code (C-…) together with --partner.`
  )
}
