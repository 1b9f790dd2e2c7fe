// Stage 2: the script runs on the server by itself. We look at its state and its log until it ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { type DeployKind, type DeployStatus, readDeployStatus, statusScript } from '../../catalog/deploy.ts'
import { pathsOf } from '../store.ts'
import { command, type DeployContext, type DeployLease, instanceOf } from './context.ts'
import { attemptName } from './prepare.ts'
import { lineOf, longerLog, plainText, stepsOf } from './progress.ts'
import { DeployFailure, persistently } from './trouble.ts'

/** Looks at which nothing runs and nothing is done before that is believed: it may just be beginning, or ending. */
const LOOKS_BEFORE_GIVING_UP = 3
/** Of the log of a script that has ended; more than that is no log. */
const MOST_PIECES = 20

/** Ends with the agent deployed. @throws DeployFailure when the script failed or is gone, or the server stayed away */
export async function watch(ctx: DeployContext, lease: DeployLease): Promise<void> {
  for (let missing = 0, pieces = 0; missing < LOOKS_BEFORE_GIVING_UP; ) {
    const { logOffset } = lease.row
    const status = await persistently(ctx, lease, () => look(ctx, lease))
    // A long log comes in pieces: the last of them is read before the end is told.
    if (status.state !== 'running' && status.logOffset > logOffset && pieces < MOST_PIECES) {
      pieces += 1
      continue
    }
    if (status.state === 'succeeded') return
    if (status.state === 'failed') throw new DeployFailure(reasonOf(status, lease.row.kind))
    missing = status.state === 'running' ? 0 : missing + 1
    await sleep(ctx.config.deployTimes.pollMs, undefined, { signal: lease.signal })
  }
  const text =
    'The script on the server ended without saying why; perhaps the server was restarted. Deploy again.'
  throw new DeployFailure(text)
}

async function look(ctx: DeployContext, lease: DeployLease): Promise<DeployStatus> {
  const { row } = lease
  const instance = await instanceOf(ctx, lease)
  const script = statusScript(pathsOf(instance), attemptName(row), row.logOffset)
  const { exitCode, stdout, stderr } = await command(ctx, lease, instance, script)
  if (exitCode !== 0)
    throw new DeployFailure(`The state of the deploy can’t be read on the server: ${lineOf(stderr)}`)
  const status = readDeployStatus(stdout)
  await note(lease, status)
  return status
}

/** Keeps what is new; a look that found nothing new writes nothing. */
async function note(lease: DeployLease, status: DeployStatus): Promise<void> {
  const { row } = lease
  if (status.state === 'absent') return
  const steps = JSON.stringify(
    stepsOf(status, row.kind).map((step) => ({ ...step, detail: plainText(step.detail).slice(0, 1_000) }))
  )
  if (steps === row.steps && status.logOffset === row.logOffset) return
  await lease.change({ steps, log: longerLog(row.log, status.log), logOffset: status.logOffset })
}

function reasonOf(status: DeployStatus, kind: DeployKind): string {
  const failed = stepsOf(status, kind).find(({ state }) => state === 'failed')
  if (!failed) return 'The script on the server failed. Read its log, then deploy again.'
  const detail = plainText(failed.detail).trim().slice(0, 1_000)
  return detail === ''
    ? `“${failed.title}” failed. Read the log, then deploy again.`
    : `“${failed.title}” failed: ${detail}`
}
