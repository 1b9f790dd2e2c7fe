// Who is signed in: a random token in a cookie, its hash here (§3).
import type { OperandValueExpressionOrList } from 'kysely'
import { type AuditAct, recordAct } from '../audit/audit.ts'
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS, now } from '../clock.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere, known, rowsWhere } from '../database/known.ts'
import type { Flag, Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { randomToken, tokenHash } from '../keys/token.ts'
import { unlessUnderWay } from '../once.ts'
import type { Membership } from './memberships.ts'

type Site = Tables['session']['site']

const LIFETIMES: Record<Site, { idleMs: number; absoluteMs: number }> = {
  portal: { idleMs: 7 * DAY_MS, absoluteMs: 30 * DAY_MS },
  console: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS }
}

export const cookieSeconds = (site: Site): number => LIFETIMES[site].absoluteMs / 1000

/** Long enough to choose a password or a portal, or for a second factor, and no longer: such a session may do nothing else. */
export const PENDING_MS = HOUR_MS
const PENDING = { idleMs: PENDING_MS, absoluteMs: PENDING_MS }

const MAX_USER_AGENT = 300
const MAX_SESSIONS_OF_ONE = 100

/** A second factor of theirs that is to be given first, or one to be set up, where it is demanded and they have none. */
export type Pending = 'factor' | 'set-up'

export type NewSession = { partnerId: string; userAgent: string | undefined; pending?: Pending | null } & (
  | { site: 'console'; partnerUserId: string; membership?: undefined; mustChangePassword?: undefined }
  | {
      site: 'portal'
      identityId: string
      /** `undefined` while there is one to choose. */
      membership: Pick<Membership, 'customerId' | 'teamMemberId'> | undefined
      mustChangePassword?: boolean
    }
)

/**
 * Begins a session and returns its token, this once. What is pending is as in the session whose place it takes, else as
 * their factors want it. Whoever has more than 100 by then loses the first of them.
 */
export async function beginSession(tx: WriteHandle, session: NewSession): Promise<string> {
  const { site, userAgent, membership, mustChangePassword, pending: given, ...person } = session
  const pending = given === undefined ? await pendingOf(tx, person) : given
  const isPending = pending !== null || (site === 'portal' && (mustChangePassword || !membership))
  if (session.site === 'console' && !isPending)
    await changeWhere(tx, 'partnerUser', { id: session.partnerUserId }).set({ lastSignInAt: now() }).execute()
  const token = await insertSession(tx, person, isPending ? PENDING : LIFETIMES[site], {
    site,
    customerId: membership?.customerId ?? null,
    teamMemberId: membership?.teamMemberId ?? null,
    mustChangePassword: mustChangePassword ? 1 : 0,
    pending,
    userAgent: keptAgent(userAgent)
  })
  if (membership && !isPending) await noteSeen(tx, [session.identityId])
  return token
}

/** A look at a customer's portal ends after that, used or not. */
export const VIEW_MS = 30 * MINUTE_MS

/** Begins a look by somebody of the partner's at a customer's portal, and returns its token, this once. */
export const beginView = (
  tx: WriteHandle,
  looker: { partnerId: string; partnerUserId: string },
  customerId: string
): Promise<string> =>
  insertSession(tx, looker, { idleMs: VIEW_MS, absoluteMs: VIEW_MS }, { site: 'portal', customerId })

async function insertSession(
  tx: WriteHandle,
  person: Person & { partnerId: string },
  { idleMs, absoluteMs }: (typeof LIFETIMES)[Site],
  session: Pick<Tables['session'], 'site' | 'customerId'> & Partial<Tables['session']>
): Promise<string> {
  const token = randomToken()
  const createdAt = now()
  await tx
    .insertInto('session')
    .values({
      ...{ mustChangePassword: 0, userAgent: '', ...person, ...session },
      id: newId('ses'),
      tokenHash: tokenHash(token),
      createdAt,
      lastSeenAt: createdAt,
      idleExpiresAt: fromNow(idleMs),
      expiresAt: fromNow(absoluteMs)
    })
    .execute()
  const first = rowsWhere(tx, 'session', person)
    .select('id')
    .orderBy('createdAt', 'desc')
    .offset(MAX_SESSIONS_OF_ONE)
    // One comes, so these go in the end however many there were.
    .limit(10)
  await tx.deleteFrom('session').where('id', 'in', first).execute()
  return token
}

/** First locks who it is: so whoever adds a factor meanwhile, and ends other sessions, finds this one or is seen here. */
async function pendingOf(tx: WriteHandle, person: Person & { partnerId: string }): Promise<Pending | null> {
  await lockPerson(tx, person.partnerId, person)
  const factors = rowsWhere(tx, 'factor', person)
  if (await factors.select('id').executeTakeFirst()) return 'factor'
  return (await isFactorDemanded(tx, person.partnerId, person)) ? 'set-up' : null
}

/** Whether the partner wants a second factor of everybody like them. */
export async function isFactorDemanded(db: ReadHandle, partnerId: string, person: Person): Promise<boolean> {
  const demand = 'identityId' in person ? 'demandsCustomerFactor' : 'demandsTeamFactor'
  const partner = rowsWhere(db, 'partner', { id: partnerId }).where(demand, '=', 1)
  return (await partner.select('id').executeTakeFirst()) !== undefined
}

export const idOf = (person: Person): string =>
  'identityId' in person ? person.identityId : person.partnerUserId

/** Records what somebody does as who they are here: to themselves unless told. */
export function recordOwnAct(
  tx: WriteHandle,
  partnerId: string,
  person: Person,
  act: Partial<AuditAct> & { action: string; requestId: string }
): Promise<void> {
  const targetType = 'identityId' in person ? 'identity' : 'partner_user'
  return recordAct(tx, { partnerId, actor: idOf(person), targetType, targetId: idOf(person), ...act })
}

/** Whoever changes what they sign in with goes one after the other. */
export const lockPerson = (tx: WriteHandle, partnerId: string, person: Person) =>
  tx
    .updateTable('identityId' in person ? 'identity' : 'partnerUser')
    // As in `lockCustomer`.
    .set((eb) => ({ id: eb.ref('id') }))
    .where((eb) => eb.and(known({ partnerId, id: idOf(person) })))
    .execute()

/** As much of a User-Agent as is kept. */
export const keptAgent = (userAgent = ''): string =>
  userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT)

export type SeenSession = Pick<Tables['session'], 'id' | 'site' | 'lastSeenAt'>

export const isSeenStale = ({ lastSeenAt }: SeenSession): boolean =>
  Date.parse(lastSeenAt) < Date.now() - MINUTE_MS

/** Records that the session is in use, at most once a minute whoever else records it. */
export const recordSeen = (database: Database, { id, site }: SeenSession): Promise<void> =>
  unlessUnderWay(id, () =>
    database.transaction(async (tx) => {
      const seen = rowsWhere(tx, 'session', { id }).where('customerId', 'is not', null)
      // Before the session, as where a password is set: of two that meet, one waits for the other.
      await noteSeen(tx, seen.where('lastSeenAt', '<', fromNow(-MINUTE_MS)).select('identityId'))
      await changeWhere(tx, 'session', { id })
        .set({ lastSeenAt: now(), idleExpiresAt: fromNow(LIFETIMES[site].idleMs) })
        .where('lastSeenAt', '<', fromNow(-MINUTE_MS))
        .execute()
    })
  )

/** Sessions end and go; when somebody was in a portal last stays. */
const noteSeen = (tx: WriteHandle, who: OperandValueExpressionOrList<Tables, 'identity', 'id'>) =>
  tx.updateTable('identity').set({ lastSeenAt: now() }).where('id', 'in', who).execute()

/** Who signs in to a portal, or to the console. */
export type Person = { identityId: string } | { partnerUserId: string }

/** Whose sessions are meant; `null` is a portal that has yet to be chosen. */
type SessionOwner = (Person & { customerId?: string | null }) | { customerId: string }

/** Ends every session of theirs, but for the one that is kept. */
export async function endSessions(tx: WriteHandle, partnerId: string, owner: SessionOwner, keptId = '') {
  await deleteWhere(tx, 'session', { partnerId, ...owner })
    .where('id', '!=', keptId)
    .execute()
}

/** Ends one session of theirs; whether there was one. */
export async function endSession(tx: WriteHandle, partnerId: string, owner: Person, id: string) {
  const { numDeletedRows } = await deleteWhere(tx, 'session', { partnerId, ...owner, id }).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Everybody's in that customer's portal, its team's too, and what its owner has only half begun. */
export async function endSessionsOfCustomer(
  tx: WriteHandle,
  { partnerId, id, ownerIdentityId }: Pick<CustomerTable, 'partnerId' | 'id' | 'ownerIdentityId'>
): Promise<void> {
  await endSessions(tx, partnerId, { customerId: id })
  if (ownerIdentityId === null) return
  await endSessions(tx, partnerId, { identityId: ownerIdentityId, customerId: null })
}

export async function endSessionsOfPartner(tx: WriteHandle, partnerId: string): Promise<void> {
  await deleteWhere(tx, 'session', { partnerId }).execute()
}

/** Their sessions that still hold, the one in use last first. */
export const listSessions = (db: ReadHandle, partnerId: string, person: Person) =>
  rowsWhere(db, 'session', { partnerId, ...person })
    .where('idleExpiresAt', '>', now())
    .where('expiresAt', '>', now())
    .select(['id', 'userAgent', 'createdAt', 'lastSeenAt'])
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(MAX_SESSIONS_OF_ONE)
    .execute()

declare module '../database/tables.ts' {
  interface Tables {
    /** Somebody who is signed in. */
    session: Owned & {
      site: 'portal' | 'console'
      /** SHA-256 of the cookie's value, hex. */
      tokenHash: string
      /** Who it is in a portal. */
      identityId: string | null
      /** Whose portal they are in; null while they have yet to choose one, or a password. */
      customerId: string | null
      /** As whom of the team; null for the owner. */
      teamMemberId: string | null
      /** Who it is in the console, or looks at a portal. */
      partnerUserId: string | null
      /** Came in by a temporary password, and may do nothing but choose one. */
      mustChangePassword: Flag
      /** What stands before everything else, once they have a password of their own. */
      pending: Pending | null
      /** What a passkey is to sign now, behind the time until when. */
      challenge: string | null
      userAgent: string
      createdAt: string
      /** To the minute. */
      lastSeenAt: string
      /** When it ends unless it is used. */
      idleExpiresAt: string
      /** When it ends however much it is used. */
      expiresAt: string
    }
  }
}
