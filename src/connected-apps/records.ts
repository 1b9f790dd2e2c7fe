// What the authorization server keeps: requests under way, codes, tokens, grants and registered clients. What opens
// anything is kept as its digest alone, so the table lets nobody in.
import { sql } from 'kysely'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../database/known.ts'
import { tokenHash } from '../keys/token.ts'

/** How long a refresh token that was used still serves: the answer may have been lost, or two of one app asked at once. */
export const GRACE_MS = 60_000

/** So many of one app at once, used refresh tokens included; one more ends the oldest. */
const MOST_OF_AN_APP: Record<string, number> = { AccessToken: 20, RefreshToken: 200 }

/** A used one is kept so long, to tell whoever comes with it again from a stranger. */
const USED_MS = 7 * DAY_MS

/** Uses since then are still the first one. */
const graceOf = (kind: string): string => (kind === 'RefreshToken' ? fromNow(-GRACE_MS) : FOREVER)
const FOREVER = '9'

/** Registered clients have public ids; everything else is found by a secret. */
const keyOf = (kind: string, id: string): string => (kind === 'Client' ? id : tokenHash(id))

/** In the place of a record's own id, which a request under way tells in its address; no JSON has it otherwise. */
const ITSELF = '\u0001'

/** The records of one kind, as oidc-provider names them. @throws ServiceError what reads and writes of the database throw */
export function openRecords({ read, transaction }: Database, kind: string) {
  const isGrant = kind === 'Grant'
  const isRequest = kind === 'Interaction'
  return {
    async find(id: string): Promise<Record<string, unknown> | undefined> {
      const row = await rowsWhere(read, 'oauthRecord', { kind, id: keyOf(kind, id) })
        .select(['payload', 'consumedAt'])
        .executeTakeFirst()
      if (!row) return undefined
      const payload: Record<string, unknown> = JSON.parse(
        isRequest ? row.payload.replaceAll(ITSELF, id) : row.payload
      )
      const { consumedAt } = row
      const isUsed = consumedAt !== null && consumedAt <= graceOf(kind)
      return {
        ...payload,
        ...(kind === 'Client' ? {} : { jti: id }),
        ...(isUsed ? { consumed: Math.floor(Date.parse(consumedAt) / 1000) } : {})
      }
    },
    /** @param expiresIn seconds */
    async save(id: string, { jti: _, ...payload }: Record<string, unknown>, expiresIn: number | undefined) {
      const appId = isGrant ? id : typeof payload.grantId === 'string' ? payload.grantId : null
      const row = {
        kind,
        id: keyOf(kind, id),
        payload: isRequest ? JSON.stringify(payload).replaceAll(id, ITSELF) : JSON.stringify(payload),
        appId,
        expiresAt: expiresIn === undefined ? null : fromNow(expiresIn * 1000)
      }
      await transaction(async (tx) => {
        const { payload: changed, expiresAt } = row
        await tx
          .insertInto('oauthRecord')
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(['kind', 'id']).doUpdateSet({ payload: changed, expiresAt })
          )
          .execute()
        const most = MOST_OF_AN_APP[kind]
        if (most === undefined || appId === null) return
        const oldest = rowsWhere(tx, 'oauthRecord', { appId, kind })
          .select('id')
          .orderBy('expiresAt', 'desc')
          .offset(most)
          .limit(10)
        await deleteWhere(tx, 'oauthRecord', { kind }).where('id', 'in', oldest).execute()
      })
    },
    /** Whether this is the first use, or one within the grace. */
    async consume(id: string): Promise<boolean> {
      const { numUpdatedRows } = await transaction((tx) =>
        changeWhere(tx, 'oauthRecord', { kind, id: keyOf(kind, id) })
          .set((eb) => ({
            consumedAt: eb.fn.coalesce('consumedAt', sql.lit(now())),
            expiresAt: fromNow(USED_MS)
          }))
          .where((eb) => eb.or([eb('consumedAt', 'is', null), eb('consumedAt', '>', graceOf(kind))]))
          .executeTakeFirst()
      )
      return numUpdatedRows > 0n
    },
    async remove(id: string): Promise<void> {
      await transaction((tx) => deleteWhere(tx, 'oauthRecord', { kind, id: keyOf(kind, id) }).execute())
    }
  }
}

const STEP_UP_SECONDS = 15

/** Notes that an app was told to ask its user for more. @throws ServiceError what a transaction throws */
export const noteStepUp = (database: Database, appId: string): Promise<void> =>
  openRecords(database, 'StepUp').save(appId, { until: fromNow(STEP_UP_SECONDS * 1000) }, STEP_UP_SECONDS)

/** Whether it was just now: a refresh, which the SDK’s first line tries before it asks, would only bring what it had. */
export const isSteppingUp = async (database: Database, appId: string): Promise<boolean> =>
  String((await openRecords(database, 'StepUp').find(appId))?.until ?? '') > now()

declare module '../database/tables.ts' {
  interface Tables {
    /** A row of the authorization server's. */
    oauthRecord: {
      /** As oidc-provider calls it, such as `AccessToken`. */
      kind: string
      /** SHA-256 of what names it, hex; of a registered client its id. */
      id: string
      /** JSON. */
      payload: string
      /** What it was made for, once that is known. */
      appId: string | null
      consumedAt: string | null
      expiresAt: string | null
    }
  }
}
