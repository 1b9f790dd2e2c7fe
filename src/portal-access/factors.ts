// Second factors, which follow the password: an authenticator app, passkeys, and recovery codes for when neither is at hand.
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../database/known.ts'
import type { Owned, Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { tokenHash } from '../keys/token.ts'
import { say } from '../language/say.ts'
import type { Secrets } from '../secrets.ts'
import { newPasskey, type Shown, shownPasskey, useChallenge } from './passkeys.ts'
import { newTemporaryPassword, type Visit } from './passwords.ts'
import {
  beginSession,
  endSession,
  endSessions,
  idOf,
  isFactorDemanded,
  keptAgent,
  lockPerson,
  type Person,
  recordOwnAct
} from './sessions.ts'
import { requirePassword, tenantOf } from './set-password.ts'
import { accountOf, type SignInContext } from './sign-in.ts'
import type { SignedIn } from './visitors.ts'

type FactorContext = SignInContext & { secrets: Secrets }
type Guest = SignedIn<Person>
type Whose = Pick<Guest, 'partnerId' | 'person'>
export type FactorRow = Tables['factor']

const MAX_PASSKEYS = 10
const RECOVERY_CODES = 10
/** One step before and after: clocks differ, and people type. */
const TOLERANCE_SECONDS = 30

export const factorContext = (id = ''): string => `factor ${id}`

/** What they have, recovery codes too, in the order in which it came; some twenty rows at most. */
export const listFactors = (db: ReadHandle, { partnerId, person }: Whose) =>
  rowsWhere(db, 'factor', { partnerId, ...person })
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** People have one app at most: its row is named after them. */
const appIdOf = ({ person }: Guest): string => `fac_${idOf(person)}`

/** An app's secret as an app reads it, and sealed to come back with the first code; the same again where it came back. */
export async function appToAdd({ secrets }: FactorContext, guest: Guest, issuer: string, sealed: string) {
  const { generateSecret, generateURI } = await import('otplib')
  const secret = unsealedApp(secrets, guest, sealed) ?? generateSecret()
  const uri = generateURI({ issuer, label: guest.email, secret })
  return { secret, uri, sealed: secrets.seal(secret, factorContext(appIdOf(guest))) }
}

function unsealedApp(secrets: Secrets, guest: Guest, sealed: string): string | undefined {
  try {
    return secrets.unseal(sealed, factorContext(appIdOf(guest)))
  } catch {
    // Nothing came back, or somebody else's.
    return undefined
  }
}

/** The time step of a code, where it is the secret's around now and none that was used. */
async function stepOf(secret: string, code: string, last = 0): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined
  const { verify } = await import('otplib')
  const verified = await verify({ secret, token: code, epochTolerance: TOLERANCE_SECONDS })
  return verified.valid && 'timeStep' in verified && verified.timeStep > last ? verified.timeStep : undefined
}

/** What somebody sends: what they typed, or what their browser says of a passkey. */
export interface Sent extends Visit, Shown {
  code: string
  /** The secret of an app that is added. */
  sealed: string
  /** Their present password. */
  current: string
}

/**
 * Lets in whoever gives a second factor. Failures count against the account, whatever the session.
 *
 * @returns the token of a new session; the old one has ended
 * @throws ServiceError `invalid_input` with the field `code`, `unauthorized` where none is to be given, `rate_limited`
 */
export async function giveFactor(ctx: FactorContext, guest: Guest, sent: Sent): Promise<string> {
  if (guest.session.pending !== 'factor') throw signedOut()
  const account = `factor ${accountOf(tenantOf(guest), guest.email)}`
  const end = await ctx.signInLimits.attempt({ account, address: sent.address })
  const factors = await listFactors(ctx.database.read, guest)
  const found = await (sent.passkey
    ? shownPasskey(guest, factors, sent).catch(() => undefined)
    : foundByCode(ctx, factors, sent.code))
  await end(found !== undefined)
  const token = await ctx.database.transaction(async (tx) => {
    const isGiven = found !== undefined && (await spend(tx, found))
    await act(tx, guest, isGiven ? 'factor_given' : 'factor_failed', sent)
    return isGiven ? passOn(tx, guest, sent) : undefined
  })
  if (token === undefined) throw refused('code', say('This doesn’t match, or was used already. Try again.'))
  return token
}

/** Which one it is, and where it stands once it is used. */
async function foundByCode({ secrets }: FactorContext, factors: FactorRow[], typed: string) {
  const code = typed.replaceAll(/\s/g, '').toLowerCase()
  const recovery = factors.find(({ handle, counter }) => handle === tokenHash(code) && counter === 0)
  if (recovery) return { ...recovery, next: 1 }
  const app = factors.find(({ kind }) => kind === 'app')
  if (!app?.sealedSecret) return undefined
  const step = await stepOf(secrets.unseal(app.sealedSecret, factorContext(app.id)), code, app.counter)
  return step === undefined ? undefined : { ...app, next: step }
}

/** Of two that come at once with the same, one does. */
async function spend(tx: WriteHandle, { id, counter, next }: FactorRow & { next: number }): Promise<boolean> {
  const one = changeWhere(tx, 'factor', { id, counter })
  return (await one.set({ counter: next, lastUsedAt: now() }).executeTakeFirst()).numUpdatedRows > 0n
}

/** A session with nothing before its pages takes the place of theirs. @throws ServiceError `unauthorized` when that ended */
async function passOn(tx: WriteHandle, { partnerId, person, session }: Guest, { userAgent }: Sent) {
  if (!(await endSession(tx, partnerId, person, session.id))) throw signedOut()
  const { customerId, teamMemberId } = session
  const begun = { partnerId, userAgent, pending: null }
  if ('partnerUserId' in person) return beginSession(tx, { ...begun, site: 'console', ...person })
  const membership = customerId === null ? undefined : { customerId, teamMemberId }
  return beginSession(tx, { ...begun, site: 'portal', ...person, membership })
}

type NewFactor = Pick<FactorRow, 'kind' | 'counter'> & Partial<FactorRow>

/**
 * Adds a passkey, or the app of that sealed secret in place of the one before, and ends their other sessions.
 *
 * @returns recovery codes with the first factor, this once; where one had to be set up, the token of a new session
 * @throws ServiceError `invalid_input` with the field `code` or `passkey`, `unauthorized` when the session ended
 */
export async function addFactor(ctx: FactorContext, guest: Guest, sent: Sent) {
  const added = await (sent.passkey ? newPasskey(guest, sent).catch(noPasskey) : newApp(ctx, guest, sent))
  return changing(ctx, guest, 'factor_added', sent, async (tx, had) => {
    if (added.kind === 'app') await gone(tx, guest, { kind: 'app' })
    else if (!(await useChallenge(tx, guest))) throw signedOut()
    const count = had.filter(({ kind }) => kind === 'passkey').length
    if (added.kind === 'passkey' && count >= MAX_PASSKEYS)
      throw refused('passkey', say('You have {count} passkeys. Remove one to add another.', { count }))
    await insert(tx, guest, { ...added, userAgent: keptAgent(sent.userAgent) })
    const codes = had.length > 0 ? [] : await newCodes(tx, guest)
    return { codes, token: guest.session.pending === null ? undefined : await passOn(tx, guest, sent) }
  })
}

async function newApp({ secrets }: FactorContext, guest: Guest, { sealed, code }: Sent) {
  const secret = unsealedApp(secrets, guest, sealed)
  const counter = secret && (await stepOf(secret, code.replaceAll(/\s/g, '')))
  if (!counter)
    throw refused('code', say('This isn’t the app’s code, or no longer. Enter the one that it shows now.'))
  return { id: appIdOf(guest), kind: 'app' as const, counter, sealedSecret: sealed }
}

/** Removes theirs of that id, if there is one. @throws ServiceError `invalid_input` when it is the last and one is demanded */
export const removeFactor = (ctx: FactorContext, guest: Guest, id: string, sent: Sent): Promise<void> =>
  changing(ctx, guest, 'factor_removed', sent, async (tx, had) => {
    const others = had.filter((factor) => factor.kind !== 'recovery' && factor.id !== id)
    if (others.length === 0 && (await isFactorDemanded(tx, guest.partnerId, guest.person)))
      throw refused(
        undefined,
        say('Signing in takes a second step here. Add another one before you remove this.')
      )
    // Recovery codes stand in for something that they have.
    await gone(tx, guest, others.length === 0 ? {} : { id })
  })

/** New recovery codes, shown this once; those before end, and their other sessions. None for who has no factor. */
export const renewCodes = (ctx: FactorContext, guest: Guest, sent: Sent): Promise<string[]> =>
  changing(ctx, guest, 'recovery_codes_made', sent, async (tx, had) => {
    await gone(tx, guest, { kind: 'recovery' })
    return had.length === 0 ? [] : newCodes(tx, guest)
  })

/** Takes all of somebody's factors away, who lost them, and ends their sessions. */
export async function resetFactors(tx: WriteHandle, partnerId: string, person: Person): Promise<void> {
  await lockPerson(tx, partnerId, person)
  await gone(tx, { partnerId, person })
  await endSessions(tx, partnerId, person)
}

/**
 * One change after the other, with the present password: an open browser isn't enough. Who has to set one up has just come
 * in by theirs. Each ends their other sessions.
 */
async function changing<Done>(
  ctx: FactorContext,
  guest: Guest,
  action: string,
  sent: Sent,
  change: (tx: WriteHandle, had: FactorRow[]) => Promise<Done>
): Promise<Done> {
  const { partnerId, person, session } = guest
  if (session.pending === 'factor') throw signedOut()
  if (session.pending === null) await requirePassword(ctx, guest, sent.current, sent)
  return ctx.database.transaction(async (tx) => {
    await lockPerson(tx, partnerId, person)
    await endSessions(tx, partnerId, person, session.id)
    await act(tx, guest, action, sent)
    return change(tx, await listFactors(tx, guest))
  })
}

const gone = (tx: WriteHandle, { partnerId, person }: Whose, only: Partial<FactorRow> = {}) =>
  deleteWhere(tx, 'factor', { partnerId, ...person, ...only }).execute()

async function newCodes(tx: WriteHandle, guest: Guest): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newTemporaryPassword)
  for (const code of codes) await insert(tx, guest, { kind: 'recovery', counter: 0, handle: tokenHash(code) })
  return codes
}

const UNTOLD = { handle: '', userAgent: '' }

const insert = (tx: WriteHandle, { partnerId, person }: Guest, factor: NewFactor) =>
  tx
    .insertInto('factor')
    .values({ id: newId('fac'), ...UNTOLD, ...factor, partnerId, ...person, createdAt: now() })
    .execute()

const act = (tx: WriteHandle, { partnerId, person }: Guest, action: string, { requestId }: Sent) =>
  recordOwnAct(tx, partnerId, person, { action, requestId })

const signedOut = () =>
  new ServiceError('unauthorized', say('You are signed out. Sign in to go on.'), { isSaid: true })

function noPasskey(cause: unknown): never {
  throw refused('passkey', say('The passkey couldn’t be added. Try again.'), cause)
}

const refused = (field: string | undefined, message: string, cause?: unknown) =>
  new ServiceError('invalid_input', message, { isSaid: true, cause, ...(field && { field }) })

declare module '../database/tables.ts' {
  interface Tables {
    /** A second factor of somebody who signs in, to a portal or to the console. */
    factor: Owned & {
      identityId: string | null
      partnerUserId: string | null
      kind: 'app' | 'passkey' | 'recovery'
      /** A passkey's id, or the SHA-256 of a recovery code, hex; '' of an app. */
      handle: string
      sealedSecret: string | null
      /** COSE, base64url. */
      publicKey: string | null
      /** As a passkey counts; of an app the last time step whose code was used, of a recovery code 1 once it was. */
      counter: number
      userAgent: string
      createdAt: string
      lastUsedAt: string | null
    }
  }
}
