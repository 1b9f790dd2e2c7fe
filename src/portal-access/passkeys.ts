// Passkeys as second factors (WebAuthn). They belong to the host that was asked, and their challenge to the session.
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { randomToken } from '../keys/token.ts'
import type { Person } from './sessions.ts'
import type { SignedIn } from './visitors.ts'

const CHALLENGE_MS = 10 * MINUTE_MS

type Guest = SignedIn<Person>
type FactorRow = Tables['factor']

/** What a browser asks with: to make a passkey for the site of that name, or without one for a passkey of those that are there. */
export async function passkeyOptions(
  database: Database,
  { session: { id }, email: userName }: Guest,
  { origin, factors, rpName }: { origin: string; factors: readonly FactorRow[]; rpName?: string }
) {
  const library = await import('@simplewebauthn/server')
  const challenge = `${fromNow(CHALLENGE_MS)} ${randomToken()}`
  await database.transaction((tx) => changeWhere(tx, 'session', { id }).set({ challenge }).execute())
  const had = factors.flatMap(({ kind, handle }) => (kind === 'passkey' ? { id: handle } : []))
  const common = { rpID: new URL(origin).hostname, challenge }
  return rpName === undefined
    ? library.generateAuthenticationOptions({ ...common, allowCredentials: had })
    : library.generateRegistrationOptions({
        ...{ ...common, rpName, userName, attestationType: 'none', excludeCredentials: had },
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' }
      })
}

/** What the browser says of a passkey, and where it was asked. */
export interface Shown {
  passkey: string
  origin: string
}

/** @throws Error, as the library does for whatever doesn't fit */
const expectedOf = ({ session: { challenge } }: Guest, { passkey, origin }: Shown) => ({
  response: JSON.parse(passkey),
  expectedChallenge: (signed: string) =>
    challenge !== null && challenge > now() && Buffer.from(signed, 'base64url').toString() === challenge,
  expectedOrigin: origin,
  expectedRPID: new URL(origin).hostname,
  // It comes after the password: that somebody is there is enough.
  requireUserVerification: false
})

/** The passkey that was made. @throws Error for one that doesn't fit */
export async function newPasskey(guest: Guest, shown: Shown) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await verifyRegistrationResponse(expectedOf(guest, shown))
  if (!registrationInfo) throw new Error('It isn’t signed.')
  const { id: handle, publicKey, counter } = registrationInfo.credential
  return {
    kind: 'passkey' as const,
    counter,
    handle,
    publicKey: Buffer.from(publicKey).toString('base64url')
  }
}

/** Which of the passkeys it is, and how far it has counted now. @throws Error for one that doesn't fit */
export async function shownPasskey(guest: Guest, factors: readonly FactorRow[], shown: Shown) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const expected = expectedOf(guest, shown)
  const factor = factors.find(({ kind, handle }) => kind === 'passkey' && handle === expected.response.id)
  const publicKey = Uint8Array.from(Buffer.from(factor?.publicKey ?? '', 'base64url'))
  if (!factor) return undefined
  const credential = { id: factor.handle, publicKey, counter: factor.counter }
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({ ...expected, credential })
  return verified ? { ...factor, next: authenticationInfo.newCounter } : undefined
}

/** Uses the challenge up: of two answers to it, one counts; whether this is the one. */
export async function useChallenge(tx: WriteHandle, { session: { id, challenge } }: Guest): Promise<boolean> {
  const mine = changeWhere(tx, 'session', { id }).set({ challenge: null })
  return (await mine.where('challenge', '=', challenge).executeTakeFirst()).numUpdatedRows > 0n
}
