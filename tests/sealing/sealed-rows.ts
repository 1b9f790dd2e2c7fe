// Rows of every kind that have something sealed in them.
import { sql } from 'kysely'
import { fromNow, now } from '../../src/clock.ts'
import type { Database } from '../../src/database/database.ts'
import { newId } from '../../src/ids.ts'
import { newDeployRow, sealContext } from '../../src/instances/deploy/store.ts'
import { type InstanceRow, privateKeyContext } from '../../src/instances/store.ts'
import { factorContext } from '../../src/portal-access/factors.ts'
import type { Secrets } from '../../src/secrets.ts'
import type { Service } from '../../src/service.ts'
import { setProviderKey, unsealProviderKey } from '../../src/voice-agents/providers/keys.ts'
import { webhookContext } from '../../src/webhooks/store.ts'
import { makeAddressee, type WrittenLetter, writeLetter } from '../mail/letters.ts'
import { makeInstance } from '../support/instances.ts'
import { makeWebhookRow } from '../support/webhooks.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'

/** Two of them, for one to be given up while the other works. */
export const [OLD_KEY, NEW_KEY] = ['the-old-key-', 'the-new-key-'].map((key) => key.repeat(3)) as [
  string,
  string
]

export interface SealedRows {
  partnerId: string
  customerId: string
  email: string
  instance: InstanceRow
  deployId: string
  letter: WrittenLetter
}

const HOOK_SECRET = 'whsec_c2VjcmV0'
const APP_SECRET = 'JBSWY3DPEHPK3PXP'
const TELEGRAM = { botToken: '1:AA', chatId: '7' }

/** One of each kind; the mail is due in an hour. */
export async function makeSealedRows(
  service: Service,
  columns: Partial<InstanceRow> = {}
): Promise<SealedRows> {
  const { database, secrets } = service
  const addressee = await makeAddressee(service)
  const { partnerId, customerId } = addressee
  const instance = await makeInstance(service, partnerId, customerId, columns)
  const letter = await writeLetter(service, addressee)
  const { id: deployId } = await database.transaction(async (tx) => {
    await setProviderKey(tx, secrets, { partnerId, provider: 'a' }, PROVIDER_KEY)
    await tx
      .updateTable('mail')
      .set({ nextAttemptAt: fromNow(3_600_000) })
      .where('id', '=', letter.mailId)
      .execute()
    const id = newId('fac')
    const nothing = { identityId: null, partnerUserId: null, publicKey: null, lastUsedAt: null }
    const app = { kind: 'app', handle: '', userAgent: '', counter: 0, createdAt: now() } as const
    const sealedSecret = secrets.seal(APP_SECRET, factorContext(id))
    await tx
      .insertInto('factor')
      .values({ ...nothing, ...app, id, partnerId, sealedSecret })
      .execute()
    await makeWebhookRow(tx, secrets, partnerId, HOOK_SECRET)
    const wanted = { instance, businessName: 'Sol', telegram: TELEGRAM, memoryScopes: [] }
    const deploy = await newDeployRow(tx, secrets, wanted)
    return tx.insertInto('deploy').values(deploy).returning('id').executeTakeFirstOrThrow()
  })
  // Else a service that runs would follow it.
  await database.transaction((tx) =>
    tx.updateTable('deploy').set({ finishedAt: now(), phase: 'failed' }).where('id', '=', deployId).execute()
  )
  return { ...addressee, instance, deployId, letter }
}

/** Servers like that one, `count` of them, each with a key of its own as far as sealing is concerned. */
export async function makeInstances(service: Service, like: InstanceRow, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const id = newId('ins')
    return {
      ...like,
      id,
      root: `/${id}`,
      privateKeySealed: service.secrets.seal(`key ${i}`, privateKeyContext(id))
    }
  })
  await service.database.transaction(async (tx) => {
    for (let start = 0; start < count; start += 500)
      await tx
        .insertInto('instance')
        .values(rows.slice(start, start + 500))
        .execute()
  })
}

/** Takes the ids of the keys off everything that is sealed, as if it were from before there were any. */
export const forgetKeyIds = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    const strip = (column: string) => sql<string>`substr(${sql.ref(column)}, 10)`
    await tx
      .updateTable('mail')
      .set({ sealedSecret: strip('sealedSecret') })
      .execute()
    await tx
      .updateTable('deploy')
      .set({ sealedTelegram: strip('sealedTelegram') })
      .execute()
    await tx
      .updateTable('instance')
      .set({ privateKeySealed: strip('privateKeySealed') })
      .execute()
    await tx
      .updateTable('providerKey')
      .set({ sealedKey: strip('sealedKey') })
      .execute()
    await tx
      .updateTable('factor')
      .set({ sealedSecret: strip('sealedSecret') })
      .execute()
    await tx
      .updateTable('webhook')
      .set({ sealedSecret: strip('sealedSecret'), formerSealed: strip('formerSealed') })
      .execute()
  })

/** How many instances have keys that begin so. */
export async function countInstances({ read }: Database, start: string): Promise<number> {
  const { count } = await read
    .selectFrom('instance')
    .where('privateKeySealed', 'like', `${start}%`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Opens all that was made, in the clear; throws where something doesn't open. */
export async function everythingOpened({ read }: Database, secrets: Secrets, made: SealedRows) {
  const instances = await read.selectFrom('instance').select(['id', 'privateKeySealed']).execute()
  const deploy = await read
    .selectFrom('deploy')
    .where('id', '=', made.deployId)
    .selectAll()
    .executeTakeFirstOrThrow()
  const mail = await read
    .selectFrom('mail')
    .where('id', '=', made.letter.mailId)
    .selectAll()
    .executeTakeFirstOrThrow()
  const { id, sealedSecret } = await read
    .selectFrom('factor')
    .where('partnerId', '=', made.partnerId)
    .select(['id', 'sealedSecret'])
    .executeTakeFirstOrThrow()
  const webhook = await read
    .selectFrom('webhook')
    .where('partnerId', '=', made.partnerId)
    .select(['id', 'sealedSecret', 'formerSealed'])
    .executeTakeFirstOrThrow()
  return {
    hooks: [webhook.sealedSecret, webhook.formerSealed].map((one) =>
      secrets.unseal(one ?? '', webhookContext(webhook.id))
    ),
    app: secrets.unseal(sealedSecret ?? '', factorContext(id)),
    provider: await unsealProviderKey(read, secrets, { partnerId: made.partnerId, provider: 'a' }),
    telegram: JSON.parse(secrets.unseal(deploy.sealedTelegram ?? '', sealContext(deploy.id))),
    letter: JSON.parse(secrets.unseal(mail.sealedSecret ?? '', mail.id)),
    instances: instances.map(({ id, privateKeySealed }) =>
      secrets.unseal(privateKeySealed, privateKeyContext(id))
    ).length
  }
}

export const expectedOf = ({ letter: { linkToken, temporaryPassword } }: SealedRows, instances: number) => ({
  hooks: [HOOK_SECRET, HOOK_SECRET],
  app: APP_SECRET,
  provider: PROVIDER_KEY,
  telegram: TELEGRAM,
  letter: { linkToken, temporaryPassword },
  instances
})

/** Every value of every row, as text. */
export async function everyValue(database: Database): Promise<string[]> {
  const values: string[] = []
  await database.transaction(async (tx) => {
    const tables =
      database.kind === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
    for (const { name } of (await tables.execute(tx)).rows) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(tx)
      for (const row of rows) values.push(...Object.values(row).map(String))
    }
  })
  return values
}
