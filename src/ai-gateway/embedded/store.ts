import { now } from '../../clock.ts'
import { compiledOnce, type Slot } from '../../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere } from '../../database/known.ts'
import type { Tables } from '../../database/tables.ts'
import { newId } from '../../ids.ts'
import { tokenHash } from '../../keys/token.ts'
import { isSameSecret } from '../../secrets.ts'
import type { KeyRequest } from '../keys.ts'
import type { Tokens } from './events.ts'

/** 64 bits: a prefix names one key in practice. */
const PREFIX_CHARS = 16

/** Adds the key; whether its alias was still free, among the revoked ones too. */
export async function insertAiKey(
  tx: WriteHandle,
  { partnerId, instanceId, alias }: Omit<KeyRequest, 'models'>,
  key: string
): Promise<boolean> {
  const hash = tokenHash(key)
  const inserted = await tx
    .insertInto('aiKey')
    .values({
      id: newId('aik'),
      partnerId,
      instanceId,
      alias,
      hashPrefix: hash.slice(0, PREFIX_CHARS),
      hash,
      revokedAt: null,
      createdAt: now()
    })
    .onConflict((conflict) => conflict.column('alias').doNothing())
    .executeTakeFirst()
  return Boolean(inserted.numInsertedOrUpdatedRows)
}

export async function revokeAiKey(tx: WriteHandle, alias: string): Promise<void> {
  await changeWhere(tx, 'aiKey', { alias, revokedAt: null }).set({ revokedAt: now() }).execute()
}

export type KeyOwner = Record<'keyId' | 'customerId' | 'partnerId' | 'instanceId', string>

/** The row of that key; the hashes are compared in constant time. */
export async function findAiKey(db: ReadHandle, key: string) {
  const hash = tokenHash(key)
  const rows = await keysByPrefix(db, hash.slice(0, PREFIX_CHARS))
  return rows.find((candidate) => isSameSecret(candidate.hash, hash))
}

const keysByPrefix = compiledOnce((db, hashPrefix: Slot<string>) =>
  db
    .selectFrom('aiKey')
    .innerJoin('partner', 'partner.id', 'aiKey.partnerId')
    .innerJoin('instance', 'instance.id', 'aiKey.instanceId')
    .innerJoin('customer', 'customer.id', 'instance.customerId')
    .where('aiKey.hashPrefix', '=', hashPrefix)
    .select(['aiKey.id as keyId', 'aiKey.partnerId', 'aiKey.instanceId', 'instance.customerId'])
    .select(['aiKey.hash', 'aiKey.revokedAt', 'partner.isActive', 'partner.models', 'partner.aiBudgets'])
    .select('customer.credentialStatus')
)

export async function insertUsage(
  tx: WriteHandle,
  { partnerId, customerId, instanceId, keyId }: KeyOwner,
  usage: Tokens & Pick<Tables['aiUsage'], 'model' | 'durationMs' | 'status'>
): Promise<void> {
  const owner = tx.selectFrom('customer').where('id', '=', customerId).select('id')
  // A call that was under way when its customer was erased leaves nothing.
  if (!(await owner.executeTakeFirst())) return
  const about = { id: newId('aiu'), partnerId, customerId, instanceId, keyId, createdAt: now() }
  await tx
    .insertInto('aiUsage')
    .values({ ...about, ...usage })
    .execute()
}

declare module '../../database/tables.ts' {
  interface Tables {
    aiKey: {
      id: string
      partnerId: string
      instanceId: string
      /** Unique among all keys that ever were. */
      alias: string
      /** The first characters of the hash, by which a key is found. Of the key itself nothing is kept (§4C). */
      hashPrefix: string
      /** SHA-256 in hex. */
      hash: string
      revokedAt: string | null
      createdAt: string
    }
    /** One call that was passed on; it outlives the key and its instance. */
    aiUsage: Tokens & {
      id: string
      partnerId: string
      /** `null` for calls from before it was noted, of servers that are gone. */
      customerId: string | null
      instanceId: string
      keyId: string
      /** The model that was asked, never `auto`. */
      model: string
      durationMs: number
      /** The HTTP status that was answered; 499 when the caller left before the end. */
      status: number
      createdAt: string
    }
  }
}
