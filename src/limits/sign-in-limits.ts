// How often signing in may fail. Counted are an account from one network, in ever wider ones, the account from everywhere,
// and an address whatever the account. What strangers can use up as well never stops an owner with the right password at
// a network from which he signed in before.
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, rowsWhere } from '../database/known.ts'
import { overdrawn, secondsOf } from './budget.ts'
import { createFailureCounter, keyedDigest, networksOf } from './networks.ts'

interface SignInTarget {
  /** Names the account whether or not it exists. */
  account: string
  address: string | undefined
}

export type SignInLimits = ReturnType<typeof createSignInLimits>

/** Known networks of one account. */
const MAX_KNOWN = 10
/** How long a network stays known from where an account was signed in to. */
export const KNOWN_FOR_MS = 90 * DAY_MS
/** From everywhere together an account may fail this many times as often as from one network. */
const EVERYWHERE = 10
/** Mails that strangers can make us send to one account in a window, and each network that is known. */
const MAX_MAILS = 3

/** Accounts are counted in the database, for all processes; addresses in this one. */
export function createSignInLimits(config: Config, database: Database) {
  const { secretKey, previousSecretKeys, signInLimit, signInWindowSeconds } = config
  const addressLimit = config.signInAddressLimit || Number.POSITIVE_INFINITY
  const countAddress = createFailureCounter(secretKey, addressLimit, signInWindowSeconds)
  const windowMs = signInWindowSeconds * 1000
  const keyOf = (...parts: string[]) => windowKey(secretKey, ...parts)
  const knownNetworkOf = ({ account, address }: SignInTarget) => {
    const [{ name }] = networksOf(address)
    // By its digests under earlier keys it stays known until the next sign-in there.
    const networks = [secretKey, ...previousSecretKeys].map((key) => windowKey(key, 'known', account, name))
    return { account: keyOf('known', account), network: keyOf('known', account, name), networks }
  }
  const keepNetwork = (tx: WriteHandle, target: SignInTarget) => {
    const { account, network } = knownNetworkOf(target)
    return keepKnownNetwork(tx, account, network)
  }
  const spendAddress = async (address: string | undefined) => {
    const failure = await countAddress(address)
    if (failure.used > addressLimit) throw tooManyFailures(failure.msLeft)
    return failure
  }

  return {
    /**
     * Counts it as failed before it is made: however many come at once, no more than the limit are tried.
     * @returns what ends the attempt. It throws `rate_limited` when the account failed too often from around or
     * everywhere, unless the password is right and the network known: only then, so that nobody is told which are
     * @throws ServiceError `rate_limited` when it is one too many from this network, whatever the password
     */
    async attempt(target: SignInTarget): Promise<(isRight: boolean) => Promise<void>> {
      const { account, address } = target
      const failure = await spendAddress(address)
      if (signInLimit === 0) return (isRight) => (isRight ? failure.forgive() : Promise.resolve())
      const limits = [
        ...networksOf(address).map(({ name, share }) => ({ key: keyOf('pair', account, name), share })),
        { key: keyOf('account', account), share: EVERYWHERE }
      ]
      const { counted, spent } = await database.transaction(async (tx) => {
        const counted: string[] = []
        for (const { key, share } of limits) {
          const window = await countInWindow(tx, key, windowMs)
          counted.push(key)
          // What one refuses isn't charged to the wider ones: else one network could lock the account for all.
          if (window.count > signInLimit * share) return { counted, spent: window }
        }
        return { counted, spent: undefined }
      })
      if (spent && counted.length === 1) throw refusalOf(spent)
      const isKnown =
        spent !== undefined && (await isKnownNetwork(database.read, knownNetworkOf(target).networks))
      return async (isRight) => {
        if (spent && !(isRight && isKnown)) throw refusalOf(spent)
        if (!isRight) return
        await failure.forgive()
        await database.transaction(async (tx) => {
          await forgive(tx, counted)
          await keepNetwork(tx, target)
        })
      }
    },
    /** Makes a network known where something better than a password was shown: the link of a mail. */
    keepNetwork,
    /** Counts a mail that a stranger asks for; whether the account may be sent one. @throws ServiceError `rate_limited` */
    async mayMail(target: SignInTarget) {
      await spendAddress(target.address)
      if (signInLimit === 0) return true
      const known = knownNetworkOf(target)
      const asker = (await isKnownNetwork(database.read, known.networks)) ? known.network : known.account
      const { count } = await database.transaction((tx) => countInWindow(tx, keyOf('mail', asker), windowMs))
      return count <= MAX_MAILS
    }
  }
}

async function isKnownNetwork(db: ReadHandle, networks: readonly string[]): Promise<boolean> {
  const known = db.selectFrom('knownNetwork').where('network', 'in', networks).select('network')
  return (await known.where('lastUsedAt', '>', fromNow(-KNOWN_FOR_MS)).executeTakeFirst()) !== undefined
}

/** @param network digest of the account and the network together */
async function keepKnownNetwork(tx: WriteHandle, account: string, network: string): Promise<void> {
  const lastUsedAt = now()
  await tx
    .insertInto('knownNetwork')
    .values({ account, network, lastUsedAt })
    .onConflict((conflict) => conflict.column('network').doUpdateSet({ lastUsedAt }))
    .execute()
  const kept = rowsWhere(tx, 'knownNetwork', { account })
    .select('network')
    .orderBy('lastUsedAt', 'desc')
    .limit(MAX_KNOWN)
  const others = tx.deleteFrom('knownNetwork').where('account', '=', account)
  await others.where('network', 'not in', kept).execute()
}

/** Names a window in the database by a digest: whose it is is nobody's to read. */
export const windowKey = (secretKey: string, ...parts: string[]): string =>
  keyedDigest(secretKey, ...parts).toString('base64url')

export async function forgetNetworks(
  tx: WriteHandle,
  { secretKey, previousSecretKeys }: Pick<Config, 'secretKey' | 'previousSecretKeys'>,
  accounts: readonly string[]
): Promise<void> {
  const keys = [secretKey, ...previousSecretKeys]
  for (const account of accounts) {
    const digests = keys.map((key) => windowKey(key, 'known', account))
    await tx.deleteFrom('knownNetwork').where('account', 'in', digests).execute()
  }
}

/** Counts one more in the window of that key; the first one begins it. */
export async function countInWindow(tx: WriteHandle, key: string, windowMs: number) {
  const endsAt = fromNow(windowMs)
  const moment = now()
  return tx
    .insertInto('signInFailure')
    .values({ key, count: 1, endsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => {
        const hasEnded = () => eb.case().when('signInFailure.endsAt', '<=', moment)
        const more = eb('signInFailure.count', '+', 1)
        return {
          count: hasEnded().then(1).else(more).end(),
          endsAt: hasEnded().then(endsAt).else(eb.ref('signInFailure.endsAt')).end()
        }
      })
    )
    .returning(['count', 'endsAt'])
    .executeTakeFirstOrThrow()
}

/** One after the other, in the order in which they are counted: who waits for whom is never a circle. */
async function forgive(tx: WriteHandle, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await changeWhere(tx, 'signInFailure', { key })
      .set((eb) => ({ count: eb('count', '-', 1) }))
      .where('count', '>', 0)
      .execute()
  }
}

const refusalOf = ({ endsAt }: { endsAt: string }) => tooManyFailures(Date.parse(endsAt) - Date.now())

const tooManyFailures = (msLeft: number) =>
  overdrawn({ secondsLeft: secondsOf(msLeft) }, 'Signing in failed too often')

declare module '../database/tables.ts' {
  interface Tables {
    signInFailure: {
      /** A `windowKey`. */
      key: string
      count: number
      endsAt: string
    }
    /** From where accounts were signed in to. Both are digests: whose account and from where is nobody's to read. */
    knownNetwork: {
      /** Digest of the account and the network; `account` is one of the account alone. */
      network: string
      account: string
      lastUsedAt: string
    }
  }
}
