// What is sealed in the database and under which keys, and how it is sealed anew once SECRET_KEY was exchanged.
import { type RawBuilder, sql } from 'kysely'
import { type Config, ConfigError } from './config.ts'
import type { Database, ReadHandle } from './database/database.ts'
import type { Tables } from './database/tables.ts'
import { sealContext } from './instances/deploy/store.ts'
import { privateKeyContext } from './instances/store.ts'
import { unhurried } from './jobs/deleter.ts'
import { factorContext } from './portal-access/factors.ts'
import { createSecrets, KEY_ID_LENGTH, type Secrets } from './secrets.ts'
import { hookSecretContext, providerKeyContext } from './voice-agents/providers/keys.ts'
import { webhookContext } from './webhooks/store.ts'

/** Names the row that notes which keys something may be sealed under, by their fingerprints. */
const NOTE = 'secretKeyFingerprint'

/** What start, commands and doctor say when a key is missing. */
export const MISSING_KEY =
  'This database was sealed with a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS.'

export const keysIn = (value = ''): string[] => value.split(',').filter(Boolean)

export async function notedKeys(db: ReadHandle): Promise<string[]> {
  const row = await db.selectFrom('setting').where('name', '=', NOTE).select('value').executeTakeFirst()
  return keysIn(row?.value)
}

/** SECRET_KEY is noted before anything is sealed under it. @throws ConfigError when a key is missing */
export async function openSecrets(config: Config, database: Database): Promise<Secrets> {
  const secrets = createSecrets(config)
  await database.transaction(async (tx) => {
    // Locks the row, whether it was there or not: processes that start at once agree.
    const { value } = await tx
      .insertInto('setting')
      .values({ name: NOTE, value: secrets.fingerprint })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: NOTE }))
      .returning('value')
      .executeTakeFirstOrThrow()
    const noted = keysIn(value)
    if (!noted.every(secrets.hasKey)) throw new ConfigError(`${MISSING_KEY} Start with the original key.`)
    if (!noted.includes(secrets.fingerprint)) await noting(`${value},${secrets.fingerprint}`).execute(tx)
  })
  return secrets
}

const noting = (value: string) => sql`update "setting" set "value" = ${value} where "name" = ${NOTE}`

/** Columns by such a name have something sealed in them: one that isn't listed below doesn't compile. */
type SealedColumn = {
  [Table in keyof Tables]: `${Table}.${Extract<keyof Tables[Table], `sealed${string}` | `${string}Sealed`>}`
}[keyof Tables]

/** Which columns name a row, and what the row of that name was sealed for. */
const SEALED: Record<SealedColumn, [key: string[], contextOf: (...key: string[]) => string]> = {
  'mail.sealedSecret': [['id'], (id = '') => id],
  'deploy.sealedTelegram': [['id'], sealContext],
  'instance.privateKeySealed': [['id'], privateKeyContext],
  'providerKey.sealedKey': [['partnerId', 'provider'], providerKeyContext],
  'providerKey.sealedHookSecret': [['partnerId', 'provider'], hookSecretContext],
  'factor.sealedSecret': [['id'], factorContext],
  'webhook.sealedSecret': [['id'], webhookContext],
  'webhook.formerSealed': [['id'], webhookContext]
}

const PLACES = Object.entries(SEALED).map(([name, [key, contextOf]]) => {
  const [table = '', column = ''] = name.split('.')
  const keyColumns = sql.join(key.map((part) => sql.ref(part)))
  return { table, text: sql.ref(column), key, keyColumns, contextOf }
})

/** How many texts are sealed under each key, by its id; `''` for those from before there were ids. */
export async function countSealed(db: ReadHandle): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, text } of PLACES) {
    const { rows } = await sql<{ keyId: string; count: number }>`
      select case when ${text} like '%.%' then substr(${text}, 1, ${sql.lit(KEY_ID_LENGTH)}) else '' end as "keyId",
        count(*) as "count" from ${sql.table(table)} where ${text} is not null group by 1`.execute(db)
    for (const { keyId, count } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + count)
  }
  return counts
}

export interface Rotation {
  resealed: number
  /** Of them, what somebody sealed under another key meanwhile: more may follow. */
  sealedMeanwhile: number
  /** Rows that none of the keys opens. They stay as they are. */
  unreadable: { table: string; id: string }[]
}

/** It holds SQLite's write lock for about 1 ms. */
const BATCH = 50

/**
 * Seals whatever isn't under SECRET_KEY anew, beside services that go on working. Each batch is a transaction of its own:
 * what was ended half-way can be run again. Once the other keys open nothing that is left, they are no longer noted.
 */
export async function rotateSecrets(
  database: Database,
  secrets: Secrets,
  onProgress: (done: number) => void
): Promise<Rotation> {
  const first = await sealAnew(database, secrets, onProgress)
  const noted = await notedKeys(database.read)
  // What is found now was left by a process with another SECRET_KEY.
  const { resealed, unreadable } = await sealAnew(database, secrets, () => undefined)
  // A key that was noted since stays noted.
  const narrowed = sql`${noting(secrets.fingerprint)} and "value" = ${noted.join(',')}`
  if (resealed === 0) await database.transaction((tx) => narrowed.execute(tx))
  return { resealed: first.resealed + resealed, sealedMeanwhile: resealed, unreadable }
}

async function sealAnew(database: Database, secrets: Secrets, onProgress: (done: number) => void) {
  const pass = { resealed: 0, unreadable: [] as Rotation['unreadable'] }
  for (const { table, text, key, keyColumns, contextOf } of PLACES) {
    for (let isLater = sql`true`; ; ) {
      const { rows } = await sql<{ sealed: string; [key: string]: string }>`
        select ${keyColumns}, ${text} as "sealed" from ${sql.table(table)}
        where ${text} not like ${`${secrets.keyId}.%`} and ${isLater}
        order by ${keyColumns} limit ${BATCH}`.execute(database.read)
      if (rows.length === 0) break
      const changes: RawBuilder<unknown>[] = []
      for (const { sealed, ...row } of rows) {
        const values = key.map((name) => row[name] ?? '')
        isLater = sql`(${keyColumns}) > (${sql.join(values)})`
        try {
          const context = contextOf(...values)
          const anew = secrets.seal(secrets.unseal(sealed, context), context)
          // Unless somebody has written it since it was read.
          changes.push(sql`update ${sql.table(table)} set ${text} = ${anew}
            where (${keyColumns}) = (${sql.join(values)}) and ${text} = ${sealed}`)
        } catch {
          pass.unreadable.push({ table, id: values.join(' ') })
        }
      }
      await unhurried(database, async (tx) => {
        for (const change of changes) await change.execute(tx)
      })
      pass.resealed += changes.length
      onProgress(pass.resealed + pass.unreadable.length)
    }
  }
  return pass
}
