// Apps that people connected by signing in: who let which client do what (§5).

import { sql } from 'kysely'
import type { Scope } from '../../schemas/api-key.ts'
import { recordAct } from '../audit/audit.ts'
import { now } from '../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, known, rowsWhere } from '../database/known.ts'
import type { Owned } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { scopeList } from '../keys/token.ts'
import { type Person, recordOwnAct } from '../portal-access/sessions.ts'

/** Which of the two MCP gateways an app is let in at. */
export type GatewayName = 'customer' | 'partner'

/** More apps of one person than anybody tells apart; one more ends the one that was used longest ago. */
const MAX_APPS = 50
/** Of those that have ended the newest are kept, for the audit log to name. */
const MAX_ENDED = 100

export interface NewApp {
  person: Person
  /** Whose memory it is let into; none where it is a partner's. */
  membership?: { customerId: string; teamMemberId: string | null } | undefined
  client: { clientId: string; clientName: string }
  scopes: readonly Scope[]
  requestId: string
}

/** Keeps that a person let a client in, and answers the app's id, by which it acts. */
export async function connectApp(tx: WriteHandle, partnerId: string, app: NewApp): Promise<string> {
  const { person, membership, client, scopes, requestId } = app
  const id = newId('app')
  const row = {
    id,
    partnerId,
    gateway: membership ? ('customer' as const) : ('partner' as const),
    ...person,
    customerId: membership?.customerId,
    teamMemberId: membership?.teamMemberId,
    ...client,
    scopes: JSON.stringify(scopes),
    createdAt: now()
  }
  await tx.insertInto('connectedApp').values(row).execute()
  for (const oldest of await idsBeyond(tx, partnerId, person, 'is', MAX_APPS))
    await endApps(tx, partnerId, { id: oldest })
  const beyond = await idsBeyond(tx, partnerId, person, 'is not', MAX_ENDED)
  if (beyond.length > 0) await tx.deleteFrom('connectedApp').where('id', 'in', beyond).execute()
  const what = { targetType: 'connected_app', targetId: id, fields: ['scopes'] } as const
  await recordOwnAct(tx, partnerId, person, { action: 'app_connect', ...what, requestId })
  return id
}

async function idsBeyond(
  tx: WriteHandle,
  partnerId: string,
  person: Person,
  ended: 'is' | 'is not',
  count: number
) {
  const rows = await rowsWhere(tx, 'connectedApp', { partnerId, ...person })
    .where('revokedAt', ended, null)
    .select('id')
    .orderBy((eb) => eb.fn.coalesce('lastUsedAt', 'createdAt'), 'desc')
    .orderBy('id', 'desc')
    .offset(count)
    // One comes, so these go in the end however many there were.
    .limit(10)
    .execute()
  return rows.map(({ id }) => id)
}

/** Which apps are meant: a person's, of one customer alone where told; or one, where told of a person, a customer or of none. */
type Which = (Person & { customerId?: string }) | ({ id: string } & (Person | { customerId?: string | null }))

/** Ends apps for good, with every token of theirs; how many there were. The audit log names who did where that is told. */
export async function endApps(
  tx: WriteHandle,
  partnerId: string,
  which: Which,
  by?: { actor: string; requestId: string }
): Promise<number> {
  const ended = await changeWhere(tx, 'connectedApp', { partnerId, ...which, revokedAt: null })
    .set({ revokedAt: now() })
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('oauthRecord').where('appId', 'in', ids).execute()
  const act = { partnerId, action: 'app_end', targetType: 'connected_app', fields: ['revokedAt'] } as const
  for (const targetId of by ? ids : [])
    await recordAct(tx, { ...act, actor: '', requestId: '', ...by, targetId })
  return ids.length
}

/** Ends an app for what it did itself: it gave its token back, or one that was used up came again. */
export async function endAppItself({ read, transaction }: Database, id: string): Promise<void> {
  const app = await rowsWhere(read, 'connectedApp', { id }).select('partnerId').executeTakeFirst()
  if (app) await transaction((tx) => endApps(tx, app.partnerId, { id }, { actor: id, requestId: '' }))
}

/** Apps, each with the address of who connected it. */
export const appsWithEmail = (db: ReadHandle) =>
  db
    .selectFrom('connectedApp as app')
    .leftJoin('identity', 'identity.id', 'app.identityId')
    .leftJoin('partnerUser', 'partnerUser.id', 'app.partnerUserId')
    .select(['app.id', 'app.clientName'])
    .select((eb) => eb.fn.coalesce('identity.email', 'partnerUser.email', sql.lit('')).as('email'))

/** Whose apps are listed: a person's own, a customer's by whomever, or those of a partner's own people. */
type Listed = Person | { customerId: string } | { gateway: 'partner' }

/** Those that still have something to go on with, newest first. */
export async function listApps(db: ReadHandle, partnerId: string, of: Listed) {
  const rows = await appsWithEmail(db)
    .where('app.partnerId', '=', partnerId)
    .where((eb) => eb.and(known(of)))
    .where('app.revokedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('oauthRecord')
          .whereRef('appId', '=', 'app.id')
          .where('kind', '<>', 'Grant')
          .where('expiresAt', '>', now())
          .select('appId')
      )
    )
    .select(['app.clientId', 'app.scopes', 'app.lastUsedAt', 'app.createdAt'])
    .orderBy('app.createdAt', 'desc')
    .orderBy('app.id', 'desc')
    .execute()
  return rows.map(({ id, scopes, ...app }) => ({ appId: id, ...app, scopes: scopeList(scopes) }))
}

/** Whether that very person has let the client in before: nobody vouches for it to somebody else. */
export async function isKnownClient(
  db: ReadHandle,
  partnerId: string,
  who: Person & { clientId: string }
): Promise<boolean> {
  const found = await rowsWhere(db, 'connectedApp', { partnerId, ...who })
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

declare module '../database/tables.ts' {
  interface Tables {
    /** A client that somebody let in at a gateway; it acts as them, within its scopes. */
    connectedApp: Owned & {
      gateway: GatewayName
      customerId: string | null
      identityId: string | null
      /** As whom of the customer's team; null for the owner. */
      teamMemberId: string | null
      partnerUserId: string | null
      /** What the client calls itself: an address (CIMD), or an id that it was given (registration). */
      clientId: string
      clientName: string
      /** JSON array of scopes. */
      scopes: string
      createdAt: string
      lastUsedAt: string | null
      revokedAt: string | null
    }
  }
}
