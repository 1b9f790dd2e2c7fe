import { type Generated, type GeneratedAlways, type Selectable, sql } from 'kysely'
import { now } from '../clock.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known } from '../database/known.ts'
import { countOf } from '../database/page.ts'
import type { Flag, Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'

export type Mind = Selectable<Tables['mind']>

/** Whose Minds: every look-up names both. */
export interface Owner {
  partnerId: string
  customerId: string
}

const mindsOf = (db: ReadHandle, { partnerId, customerId }: Owner) =>
  db.selectFrom('mind').where((eb) => eb.and(known({ customerId, partnerId })))

/** The primary one first, then in the order of their making. */
export const listMinds = (db: ReadHandle, owner: Owner): Promise<Mind[]> =>
  mindsOf(db, owner).selectAll().orderBy('isPrimary', 'desc').orderBy('createdAt').orderBy('key').execute()

export const countMinds = (db: ReadHandle, owner: Owner): Promise<number> => countOf(mindsOf(db, owner))

/** @throws ServiceError `mind_not_found` */
export async function getMind(db: ReadHandle, { partnerId, customerId }: Owner, mindId: string) {
  const [mind] = await mindById(db, partnerId, customerId, mindId)
  return mind ?? refuseUnknownMind()
}

const mindById = compiledOnce((db, partnerId: Slot<string>, customerId: Slot<string>, id: Slot<string>) =>
  db
    .selectFrom('mind')
    .where((eb) => eb.and(known({ id, customerId, partnerId })))
    .selectAll()
)

/** Another customer's Mind is answered as one that doesn't exist (§7: 404). */
export function refuseUnknownMind(): never {
  throw new ServiceError('mind_not_found')
}

export const insertMind = (
  tx: WriteHandle,
  owner: Owner,
  { name, description }: { name: string; description: string | null }
): Promise<Mind> =>
  tx
    .insertInto('mind')
    .values({ ...freshMind(owner), name, description, isPrimary: 0 })
    .returningAll()
    .executeTakeFirstOrThrow()

/** That one, or the primary one, which is made; nobody else changes it until the end. @throws ServiceError `mind_not_found` */
export async function lockMind(tx: WriteHandle, owner: Owner, mindId: string | undefined): Promise<Mind> {
  const locked = await lockExisting(tx, owner, mindId)
  if (locked) return locked
  if (mindId) refuseUnknownMind()
  // Of two first calls at once the index lets one insert, and the other waits here until that one is there.
  await tx
    .insertInto('mind')
    .values({ ...freshMind(owner), name: 'Primary', description: null, isPrimary: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await lockExisting(tx, owner, undefined)) ?? refuseUnknownMind()
}

async function lockExisting(tx: WriteHandle, { partnerId, customerId }: Owner, mindId: string | undefined) {
  known({ partnerId, customerId })
  const [mind] = await (mindId ? lockNamed : lockPrimary)(tx, partnerId, customerId, mindId ?? '')
  return mind
}

const [lockNamed, lockPrimary] = [locking(true), locking(false)]

function locking(isNamed: boolean) {
  return compiledOnce(
    (tx: WriteHandle, partnerId: Slot<string>, customerId: Slot<string>, mindId: Slot<string>) =>
      tx
        .updateTable('mind')
        // Writing a column to itself is the row lock that both databases know.
        .set((eb) => ({ nextSeq: eb.ref('nextSeq') }))
        .where((eb) => eb.and({ customerId, partnerId }))
        .where((eb) => (isNamed ? eb('id', '=', mindId) : eb('isPrimary', '=', sql.lit<Flag>(1))))
        .returningAll()
  )
}

const freshMind = ({ partnerId, customerId }: Owner) => {
  const createdAt = now()
  const isEmpty = { memoryCount: 0, nextSeq: 1 }
  return { id: newId('mnd'), partnerId, customerId, ...isEmpty, createdAt, updatedAt: createdAt }
}

/**
 * The Mind with one more memory, whose place is `seq`; nobody else changes it until the end.
 * @param seen as it was read in this transaction, if it was there
 * @throws ServiceError `mind_not_found`
 */
export async function takePlace(
  tx: WriteHandle,
  owner: Owner,
  mindId: string | undefined,
  seen: Pick<Mind, 'key'> | undefined
) {
  const takeIn = (key: number) => countMemories(tx, key, 1, 1, now())
  const [taken] = seen ? await takeIn(seen.key) : []
  const [place] = taken ? [taken] : await takeIn((await lockMind(tx, owner, mindId)).key)
  if (!place) return refuseUnknownMind()
  return { key: place.key, id: place.id, seq: place.nextSeq - 1 }
}

/** Books so many more places and memories. */
export const countMemories = compiledOnce(
  (tx: WriteHandle, key: Slot<number>, places: Slot<number>, memories: Slot<number>, at: Slot<string>) =>
    tx
      .updateTable('mind')
      .set((eb) => ({
        nextSeq: eb('nextSeq', '+', places),
        memoryCount: eb('memoryCount', '+', memories),
        updatedAt: at
      }))
      .where('key', '=', key)
      .returning(['key', 'id', 'nextSeq'])
)

export async function deleteMind(tx: WriteHandle, mindKey: number): Promise<void> {
  await tx.deleteFrom('mind').where('key', '=', mindKey).execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    mind: Owned & {
      /** A small number of its own for the engine's many rows; never given twice. */
      key: GeneratedAlways<number>
      customerId: string
      name: string
      description: string | null
      /** One of a customer's Minds is the one that a call without `mindId` means. */
      isPrimary: Flag
      memoryCount: number
      /** The `seq` of the next memory; deletions don't give numbers back. */
      nextSeq: number
      createdAt: string
      updatedAt: string
    }
    /** Comes with the Mind, by a trigger, and outlives it until its rows are deleted: by `mind` nobody reaches them. */
    mindContent: Owned & {
      key: number
      isForgotten: Generated<Flag>
    }
  }
}
