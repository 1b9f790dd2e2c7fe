// PostgreSQL parses and plans a statement anew at each call unless it has a name: for our short ones that is most of the
// work. What is asked again and again gets one.
import { hash } from 'node:crypto'
import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isUnknownName } from './faults.ts'

/** Lists of any length make texts without number, most of them used a few times; the hot ones are known within seconds. */
const NAMED_AT_USE = 10
/** Each connection keeps a plan of each. */
const MOST_NAMED = 250
const MOST_COUNTED = 1_000

/**
 * Gives connections statements by name. Where one comes to be unknown, a pooler lends connections by the transaction and
 * keeps no account of names, or a migration has changed what a statement answers: from then on none has a name.
 */
export function createPreparing(isOn: boolean): (client: pg.PoolClient) => PostgresPoolClient {
  let isPreparing = isOn
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  const nameOf = (text: string): string | undefined => {
    if (!isPreparing) return undefined
    const name = names.get(text)
    if (name !== undefined || names.size >= MOST_NAMED) return name
    const count = (uses.get(text) ?? 0) + 1
    // The last one is the most recently used.
    uses.delete(text)
    if (count < NAMED_AT_USE) uses.set(text, count)
    // A digest: behind a pooler, processes share connections, and a name has to mean the same to all.
    else names.set(text, hash('sha256', text, 'base64url'))
    const [oldest = ''] = uses.size > MOST_COUNTED ? uses.keys() : []
    uses.delete(oldest)
    return names.get(text)
  }

  const withNames = (client: pg.PoolClient): PostgresPoolClient => {
    const query = async (text: string, values: readonly unknown[]) => {
      // Without values it goes as plain text, which can be several statements.
      const name = values.length > 0 ? nameOf(text) : undefined
      if (name === undefined) return client.query(text, [...values])
      try {
        return await client.query({ name, text, values: [...values] })
      } catch (error) {
        if (!isUnknownName(error)) throw error
        isPreparing = false
        // Within a transaction it has failed with that, and begins again.
        return await client.query(text, [...values]).catch(() => Promise.reject(error))
      }
    }
    // Of its two signatures the other is for cursors, which Kysely opens for streams alone.
    return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
  }

  return (client) => {
    const prepared = known.get(client) ?? withNames(client)
    known.set(client, prepared)
    return prepared
  }
}
