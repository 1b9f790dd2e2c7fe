// What is noted of a run while it goes on, for whichever process is asked.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadHandle } from '../../database/database.ts'
import type { Lease } from '../../jobs/leases.ts'
import type { agentRun } from './run.ts'
import { isCancelRequested } from './store.ts'

/** Another process may work on a message, or be asked to stop ours: the row tells. */
export const LOOK_EVERY_MS = 1_000

interface Noted {
  lease: Lease<'chatExchange'>
  run: Pick<ReturnType<typeof agentRun>, 'progress'>
  cancel: AbortController
}

/** Learns each second whether the run shall be stopped, and keeps every other time what it has told since. */
export async function noteUntil(
  over: AbortSignal,
  db: ReadHandle,
  { lease, run, cancel }: Noted
): Promise<void> {
  for (let isTold = false; ; isTold = !isTold) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: over, ref: false }).catch(() => {})
    if (over.aborted) return
    try {
      if (isTold) await keepProgress(lease, run)
      if (await isCancelRequested(db, lease.row)) cancel.abort()
    } catch {
      // The next look tells.
    }
  }
}

async function keepProgress(lease: Noted['lease'], run: Noted['run']): Promise<void> {
  const told = run.progress()
  const progress = told.text === '' && told.tools.length === 0 ? lease.row.progress : JSON.stringify(told)
  if (progress !== lease.row.progress) await lease.change({ progress })
}
