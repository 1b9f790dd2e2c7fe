// From where accounts were signed in to. Both are digests: whose account and from where is nobody's to read.
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'

const KEPT = 10
export const KNOWN_FOR_MS = 90 * DAY_MS

export async function isKnownNetwork(db: ReadHandle, networks: readonly string[]): Promise<boolean> {
  const known = db.selectFrom('knownNetwork').where('network', 'in', networks).select('network')
  return (await known.where('lastUsedAt', '>', fromNow(-KNOWN_FOR_MS)).executeTakeFirst()) !== undefined
}

/** @param network digest of the account and the network together */
export async function keepKnownNetwork(tx: WriteHandle, account: string, network: string): Promise<void> {
  const lastUsedAt = now()
  await tx
    .insertInto('knownNetwork')
    .values({ account, network, lastUsedAt })
    .onConflict((conflict) => conflict.column('network').doUpdateSet({ lastUsedAt }))
    .execute()
  const kept = tx
    .selectFrom('knownNetwork')
    .where('account', '=', account)
    .select('network')
    .orderBy('lastUsedAt', 'desc')
    .limit(KEPT)
  const others = tx.deleteFrom('knownNetwork').where('account', '=', account)
  await others.where('network', 'not in', kept).execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    knownNetwork: {
      /** Digest of the account and the network; `account` is one of the account alone. */
      network: string
      account: string
      lastUsedAt: string
    }
  }
}
