// The deploys of this process: a deploy is a row written in the transaction that asks for it, followed after the commit
// by whichever process takes it first, and by another one where that process ends.
import type { Config } from '../../config.ts'
import type { WriteHandle } from '../../database/database.ts'
import { afterCommit } from '../../database/guard.ts'
import { newOwner } from '../../jobs/owner.ts'
import { lookWhenWoken } from '../../jobs/wake.ts'
import type { DeployContext } from './context.ts'
import { followDeploy } from './follow.ts'
import { abandonedDeploys, holdDeploy, takeDeploy } from './hold.ts'
import { revokeStaleKeys } from './keys.ts'
import { type DeployRow, insertDeploy } from './store.ts'

export interface Deploys {
  /** Writes the deploy in the caller's transaction; it begins after the commit. */
  enqueue(tx: WriteHandle, deploy: Parameters<typeof insertDeploy>[2]): Promise<DeployRow>
  /** Starts following deploys; `publicUrl` is where agents reach this service. */
  start(publicUrl: string): void
  /** Gives the deploys in hand back, for the next process to take up where they stand. */
  stop(): Promise<void>
}

/** Each costs a look a second. */
const MOST_AT_ONCE = 50
/** A script may run on for as long as its server likes: the others' deploys don't wait for it. */
const MOST_AT_ONCE_OF_PARTNER = 20

const REVOKE_EVERY_MS = 60_000

type Surroundings = Omit<DeployContext, 'publicUrl'> & { config: Config }

/** The deploys of this process. They can be enqueued at once; none begins until `start`. */
export function createDeploys(surroundings: Surroundings): Deploys {
  let follower: Follower | undefined
  return {
    async enqueue(tx, deploy) {
      const row = await insertDeploy(tx, surroundings.secrets, deploy)
      afterCommit(() => follower?.wake())
      return row
    },
    start(publicUrl) {
      follower ??= startFollowing({ ...surroundings, publicUrl })
    },
    async stop() {
      await follower?.stop()
      follower = undefined
    }
  }
}

interface Follower {
  wake(): void
  stop(): Promise<void>
}

function startFollowing(ctx: DeployContext): Follower {
  const { database, log, config } = ctx
  const { lookMs, leaseMs } = config.deployTimes
  const owner = newOwner()
  const stopping = new AbortController()
  const inHand = new Map<string, { partnerId: string; following: Promise<void> }>()
  const { wake, settled } = lookWhenWoken(
    () => takeAbandoned().catch((error: unknown) => log.warn('deploys could not be looked for', { error })),
    stopping.signal
  )

  const takeAbandoned = async () => {
    for (const seen of await abandonedDeploys(database.read)) {
      if (inHand.has(seen.id) || inHand.size >= MOST_AT_ONCE || stopping.signal.aborted) continue
      const ofPartner = [...inHand.values()].filter(({ partnerId }) => partnerId === seen.partnerId)
      if (ofPartner.length >= MOST_AT_ONCE_OF_PARTNER) continue
      const lease = { owner, ms: leaseMs }
      const taken = await database.transaction((tx) => takeDeploy(tx, seen, lease))
      if (taken) inHand.set(taken.id, { partnerId: taken.partnerId, following: follow(taken) })
    }
  }

  const follow = async (taken: DeployRow) => {
    const hold = holdDeploy(database, taken, { owner, ms: leaseMs }, stopping.signal)
    try {
      await followDeploy(ctx, hold)
      await hold.release()
    } catch (error) {
      hold.abandon()
      log.error('a deploy could not be followed', { error })
    } finally {
      inHand.delete(taken.id)
      wake()
    }
  }

  let revoking: Promise<void> | undefined
  const revoke = () => {
    revoking ??= revokeStaleKeys(database, ctx.aiKeys)
      .catch((error: unknown) => log.warn('AI keys could not be revoked yet', { error }))
      .finally(() => {
        revoking = undefined
      })
  }

  const timers = [setInterval(wake, lookMs), setInterval(revoke, REVOKE_EVERY_MS)]
  for (const timer of timers) timer.unref()
  wake()
  revoke()
  return {
    wake,
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await settled()
      await Promise.all([...[...inHand.values()].map(({ following }) => following), revoking])
    }
  }
}
