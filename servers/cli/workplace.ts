// What a command works with. Commands go straight to the database, so they work with and without a running service.
import { type Config, loadConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { findPartner, type Partner } from '../../src/partners/store.ts'
import { CommandError } from './failure.ts'

export interface Workplace {
  config: Config
  database: Database
}

/** Opens what the environment points at for one command, and closes it whatever comes. */
export async function withDatabase(work: (place: Workplace) => Promise<void>): Promise<void> {
  const config = loadConfig(process.env)
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
