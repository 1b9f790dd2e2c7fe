// One deploy from where it stands to its end. Every phase can be entered again after a crash.
import { isAway, isBusy } from '../../database/faults.ts'
import type { DeployContext } from './context.ts'
import { fail, succeed } from './finish.ts'
import { type Hold, LeaseLost } from './hold.ts'
import { begin, prepare } from './prepare.ts'
import { failureText, persistently } from './trouble.ts'
import { watch } from './watch.ts'

/**
 * Brings the deploy to its end, or as far as it gets until the process stops or another one takes it over.
 *
 * @throws Error when the database can't be written; the deploy is taken up again once its lease has run out
 */
export async function followDeploy(ctx: DeployContext, hold: Hold): Promise<void> {
  try {
    await bringThrough(ctx, hold)
  } catch (error) {
    if (isOver(hold, error)) return
    // That we couldn't note where it stands is no end of it.
    if (isAway(error) || isBusy(error)) throw error
    const text = failureText(error)
    if (text === undefined) ctx.log.error('a deploy failed', { partnerId: hold.row.partnerId, error })
    try {
      await fail(
        ctx,
        hold,
        text ?? 'Something went wrong on our side. Deploy again; if it happens again, tell us.'
      )
    } catch (failed) {
      if (!isOver(hold, failed)) throw failed
    }
  }
}

async function bringThrough(ctx: DeployContext, hold: Hold): Promise<void> {
  const { deployTimes: times } = ctx.config
  const first = { times, withinMs: times.connectMs, hasBegun: false }
  if (hold.row.phase === 'preparing') await persistently(hold, first, () => prepare(ctx, hold))
  // Whether a script was started whose start wasn't noted can't be told: the same patience as for one that was.
  const later = { times, withinMs: times.silenceMs, hasBegun: true }
  if (hold.row.phase === 'uploaded') await persistently(hold, later, () => begin(ctx, hold))
  await watch(ctx, hold)
  await succeed(ctx, hold)
}

/** Whether it isn't ours to end: the process stops, or somebody else has it. */
const isOver = (hold: Hold, error: unknown): boolean => hold.signal.aborted || error instanceof LeaseLost
