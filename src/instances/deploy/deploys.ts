// The deploys of this process: a deploy is a row written in the transaction that asks for it, followed after the commit
// by whichever process takes it first, and by another one where that process ends. Every phase can be entered again.
import type { WriteHandle } from '../../database/database.ts'
import { isAway, isBusy } from '../../database/faults.ts'
import { LeaseLost } from '../../jobs/leases.ts'
import { type Looker, startLooking } from '../../jobs/looker.ts'
import { createQueue } from '../../jobs/queue.ts'
import type { DeployContext, DeployLease } from './context.ts'
import { fail, succeed } from './finish.ts'
import { revokeStaleKeys } from './keys.ts'
import { begin, prepare } from './prepare.ts'
import { advanceRollouts } from './rollouts.ts'
import { type NewDeploy, newDeployRow } from './store.ts'
import { failureText, persistently } from './trouble.ts'
import { watch } from './watch.ts'

export type Deploys = ReturnType<typeof createDeploys>

/** Each costs a look a second. */
const MOST_AT_ONCE = 50
/** A script may run on for as long as its server likes: the others' deploys don't wait for it. */
const MOST_AT_ONCE_OF_PARTNER = 20

const REVOKE_EVERY_MS = 60_000

export function createDeploys(deps: Omit<DeployContext, 'publicUrl'>) {
  const { config, database, log, secrets, aiKeys } = deps
  const { lookMs, leaseMs } = config.deployTimes
  const queue = createQueue(deps, {
    table: 'deploy',
    concurrency: MOST_AT_ONCE,
    ofPartner: MOST_AT_ONCE_OF_PARTNER,
    leaseMs,
    isRenewed: true,
    lookMs,
    messages: { take: 'deploys could not be looked for', perform: 'a deploy could not be followed' }
  })
  let revoker: Looker | undefined
  let roller: Looker | undefined
  const deploys = {
    /** Writes the deploy in the caller's transaction; it begins after the commit. */
    enqueue: async (tx: WriteHandle, deploy: NewDeploy) =>
      queue.enqueue(tx, await newDeployRow(tx, secrets, deploy)),
    start(publicUrl: string) {
      queue.start((lease) => followDeploy({ ...deps, publicUrl }, lease))
      revoker ??= startLooking(() => revokeStaleKeys(database, aiKeys), {
        everyMs: REVOKE_EVERY_MS,
        onError: (error) => log.warn('AI keys could not be revoked yet', { error })
      })
      roller ??= startLooking(() => advanceRollouts(database, deploys), {
        everyMs: lookMs,
        onError: (error) => log.warn('a change of all agents could not go on yet', { error })
      })
    },
    /** Gives the deploys in hand back, for the next process to take up where they stand. */
    async stop() {
      await Promise.all([roller?.stop(), revoker?.stop()])
      await queue.stop()
    }
  }
  return deploys
}

/** @throws Error when the database can't be written; the deploy is taken up again once its lease has run out */
async function followDeploy(ctx: DeployContext, lease: DeployLease): Promise<void> {
  try {
    await bringThrough(ctx, lease)
  } catch (error) {
    await endWith(ctx, lease, error)
  }
  if (lease.row.leaseOwner !== null) await ctx.database.transaction((tx) => lease.letGo(tx))
}

async function bringThrough(ctx: DeployContext, lease: DeployLease): Promise<void> {
  if (lease.row.phase === 'preparing') await persistently(ctx, lease, () => prepare(ctx, lease))
  if (lease.row.phase === 'uploaded') await persistently(ctx, lease, () => begin(ctx, lease))
  await watch(ctx, lease)
  await succeed(ctx, lease)
}

async function endWith(ctx: DeployContext, lease: DeployLease, error: unknown): Promise<void> {
  if (isOver(lease, error)) return
  // That we couldn't note where it stands is no end of it.
  if (isAway(error) || isBusy(error)) throw error
  const text = failureText(error)
  if (text === undefined) ctx.log.error('a deploy failed', { partnerId: lease.row.partnerId, error })
  const reason = text ?? 'Something went wrong on our side. Deploy again; if it happens again, tell us.'
  try {
    await fail(ctx, lease, reason)
  } catch (failed) {
    if (!isOver(lease, failed)) throw failed
  }
}

/** Whether it isn't ours to end: the process stops, or somebody else has it. */
const isOver = (lease: DeployLease, error: unknown): boolean =>
  lease.signal.aborted || error instanceof LeaseLost
